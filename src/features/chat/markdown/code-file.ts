/** Endings of files by the name of a language in a fence. */
const endings: Record<string, string> = {
  bash: 'sh', c: 'c', cpp: 'cpp', 'c++': 'cpp', csharp: 'cs', 'c#': 'cs', css: 'css', csv: 'csv', diff: 'diff',
  dockerfile: 'dockerfile', go: 'go', html: 'html', java: 'java', javascript: 'js', js: 'js', json: 'json', jsx: 'jsx',
  kotlin: 'kt', latex: 'tex', lua: 'lua', markdown: 'md', md: 'md', mermaid: 'mmd', perl: 'pl', php: 'php',
  powershell: 'ps1', python: 'py', py: 'py', r: 'r', ruby: 'rb', rust: 'rs', scss: 'scss', sh: 'sh', shell: 'sh',
  sql: 'sql', svelte: 'svelte', svg: 'svg', swift: 'swift', toml: 'toml', ts: 'ts', tsx: 'tsx', typescript: 'ts',
  vue: 'vue', xml: 'xml', yaml: 'yaml', yml: 'yml', zig: 'zig', zsh: 'sh',
} // oxfmt-ignore

/** The name under which a code block is saved: the file that its fence names, without folders, else by its language. */
export function codeFileName(language: string, file: string | undefined): string {
  const fileName = file?.split('/').at(-1)?.replace(/^\.+/, '')
  if (fileName) return fileName
  return `code.${(Object.hasOwn(endings, language) ? endings[language] : undefined) ?? 'txt'}`
}
