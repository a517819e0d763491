import { command } from '@/lib/cli/spec';
import { SCRIPTS } from './scripts';

export const completion = command({
  name: 'completion',
  summary: 'Write a shell completion script.',
  args: { shell: { description: 'shell', choices: Object.keys(SCRIPTS) } },
  examples: [
    { line: 'completion bash > ~/.local/share/bash-completion/completions/eds', does: 'Complete commands in bash.' },
    { line: 'completion zsh > ~/.zsh/_eds', does: 'Complete commands in zsh. The folder must be in fpath.' },
    { line: 'completion fish > ~/.config/fish/completions/eds.fish', does: 'Complete commands in fish.' },
  ],
  run: ({ out }, { args: { shell } }) => {
    const script = SCRIPTS[shell as keyof typeof SCRIPTS];
    if (out.isJson) out.value({ shell, script }, '');
    else out.text(script);
  },
});
