import { command } from '@/lib/cli/spec';

// Each script asks `eds __complete`, so that it fits every version of the program. A line of its answer is a candidate, or a
// candidate, a tab and a description. Without candidates the shell completes files.

const BASH = `# bash completion for eds
_eds() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <("$1" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  # A candidate that ends with "=" waits for its value.
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o default -F _eds eds
`;

const ZSH = `#compdef eds
# zsh completion for eds
_eds() {
  local line
  local -a found
  for line in "\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -z $line ]] && continue
    # _describe separates a candidate from its description by a colon.
    if [[ $line == *$'\\t'* ]]; then
      found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    else
      found+=("\${line//:/\\\\:}")
    fi
  done
  if (( \${#found} )); then _describe 'eds' found; else _files; fi
}
if [[ $funcstack[1] == _eds ]]; then _eds "$@"; else compdef _eds eds; fi
`;

const FISH = `# fish completion for eds
function __eds_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  command eds __complete $words[2..-1] "$current" 2>/dev/null
end
complete -c eds -f -a '(__eds_complete)'
complete -c eds -n 'test -z "$(__eds_complete)"' -F
`;

/** The script of each shell. */
const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH };

export const completion = command({
  summary: 'Write a shell completion script.',
  args: { shell: { description: 'shell', choices: Object.keys(SCRIPTS) } },
  examples: {
    'completion bash > ~/.local/share/bash-completion/completions/eds': 'Complete commands in bash.',
    'completion zsh > ~/.zsh/_eds': 'Complete commands in zsh. The folder must be in fpath.',
    'completion fish > ~/.config/fish/completions/eds.fish': 'Complete commands in fish.',
  },
  run: ({ out }, { args: { shell } }) => {
    const script = SCRIPTS[shell as keyof typeof SCRIPTS];
    if (out.isJson) out.value({ shell, script }, '');
    else out.text(script);
  },
});
