/** What a field requires before the form is sent. */
export interface FieldRules<Values, Value> {
  /** Shown when the field is empty. */
  required?: string;
  /** Returns true, or what is wrong with the value. */
  validate?(value: Value, values: Values): true | string;
  onChange?: () => void;
}

export type FieldName<Values> = keyof Values & string;
export type FieldErrors<Values> = Partial<Record<FieldName<Values>, string>>;

/** What a form shows. Replaced at each change, so that React sees the change. */
export interface FormState<Values> {
  values: Values;
  errors: FieldErrors<Values>;
  isDirty: boolean;
}

interface MountedField<Values> {
  element: HTMLInputElement | HTMLTextAreaElement;
  rules: FieldRules<Values, unknown>;
}

/** Holds the values and errors of a form. Rules apply at submission, and from then on at each change. */
export class FormStore<Values extends object> {
  private readonly fields = new Map<FieldName<Values>, MountedField<Values>>();
  private readonly seen = new WeakSet<Element>();
  private readonly listeners = new Set<() => void>();
  private defaults: Values;
  private state: FormState<Values>;
  private wasSubmitted = false;

  constructor(defaults: Values) {
    this.defaults = defaults;
    this.state = { values: defaults, errors: {}, isDirty: false };
  }

  readonly getState = (): FormState<Values> => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Remembers the element of a field. Keeps text that was typed or filled in before hydration. */
  mount(name: FieldName<Values>, field: MountedField<Values>): () => void {
    this.fields.set(name, field);
    if (!this.seen.has(field.element)) this.readElement(name, field);
    this.seen.add(field.element);
    return () => {
      if (this.fields.get(name) === field) this.fields.delete(name);
    };
  }

  /** Stores a typed value. After the first submission, its rules apply at once. */
  change(name: FieldName<Values>, value: unknown): void {
    const values = { ...this.state.values, [name]: value };
    const errors = { ...this.state.errors };
    const error = this.wasSubmitted ? this.check(name, values) : undefined;
    if (error === undefined) delete errors[name];
    else errors[name] = error;
    this.show(values, errors);
  }

  /** Makes `values` the values and the defaults, and removes all errors. */
  reset(values: Values): void {
    this.defaults = values;
    this.wasSubmitted = false;
    this.show(values, {});
  }

  setErrors(errors: FieldErrors<Values>): void {
    this.show(this.state.values, errors);
  }

  /** Applies the rules of all fields on the page. Focuses the first wrong one, and returns whether there was none. */
  validate(): boolean {
    this.wasSubmitted = true;
    // A password manager may fill in a field without an event.
    for (const [name, field] of this.fields) this.readElement(name, field);
    const errors: FieldErrors<Values> = {};
    for (const name of this.fields.keys()) {
      const error = this.check(name, this.state.values);
      if (error !== undefined) errors[name] = error;
    }
    this.setErrors(errors);
    return !this.focusFirst(errors);
  }

  /** Focuses the first field on the page that has an error. Returns false when there is none. */
  focusFirst(errors: FieldErrors<Values>): boolean {
    const wrong = [...this.fields].filter(([name]) => errors[name] !== undefined).map(([, { element }]) => element);
    const [first] = wrong.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
    first?.focus();
    return first !== undefined;
  }

  focus(name: FieldName<Values>, options: { shouldSelect?: boolean } = {}): void {
    const element = this.fields.get(name)?.element;
    element?.focus();
    if (options.shouldSelect) element?.select();
  }

  private readElement(name: FieldName<Values>, { element }: MountedField<Values>): void {
    if (element.type === 'radio' || element.value === this.state.values[name]) return;
    this.show({ ...this.state.values, [name]: element.value }, this.state.errors);
  }

  private check(name: FieldName<Values>, values: Values): string | undefined {
    const rules = this.fields.get(name)?.rules;
    const value = values[name];
    if (rules?.required !== undefined && value === '') return rules.required;
    const result = rules?.validate?.(value, values) ?? true;
    return result === true ? undefined : result;
  }

  private show(values: Values, errors: FieldErrors<Values>): void {
    const names = Object.keys(this.defaults) as FieldName<Values>[];
    this.state = { values, errors, isDirty: names.some((name) => values[name] !== this.defaults[name]) };
    for (const listener of this.listeners) listener();
  }
}
