import { usageError } from '@/lib/cli/input/usage-error';
import { command } from '@/lib/cli/spec';

/** Each asks `eds complete` for the words that may follow, so that it never lags behind the program. */
const SCRIPTS: Record<string, string> = {
  bash: `_eds() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(eds complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _eds eds`,
  zsh: `#compdef eds
_eds() {
  local -a found
  found=("\${(@f)$(eds complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found
}
compdef _eds eds`,
  fish: `complete -c eds -f -a '(eds complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
};

export const completion = command({
  name: 'completion',
  summary: 'Write the script that completes commands in a shell.',
  args: { shell: { description: 'bash, zsh or fish' } },
  examples: [
    { line: 'completion bash > ~/.local/share/bash-completion/completions/eds', does: 'Complete commands in bash.' },
    { line: 'completion zsh > ~/.zsh/_eds', does: 'Complete commands in zsh.' },
    { line: 'completion fish > ~/.config/fish/completions/eds.fish', does: 'Complete commands in fish.' },
  ],
  run: ({ terminal }, { args }) => {
    const script = Object.hasOwn(SCRIPTS, args.shell) ? SCRIPTS[args.shell] : undefined;
    if (script === undefined) {
      const message = `There is no completion for “${args.shell}”: use bash, zsh or fish.`;
      throw usageError(message);
    }
    terminal.stdout.write(`${script}\n`);
  },
});
