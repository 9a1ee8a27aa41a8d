/** Endings of files by the name of a language in a fence. */
const endings: Record<string, string> = {
  bash: 'sh', c: 'c', cpp: 'cpp', 'c++': 'cpp', csharp: 'cs', 'c#': 'cs', css: 'css', csv: 'csv', diff: 'diff',
  dockerfile: 'dockerfile', go: 'go', html: 'html', java: 'java', javascript: 'js', js: 'js', json: 'json', jsx: 'jsx',
  kotlin: 'kt', latex: 'tex', lua: 'lua', markdown: 'md', md: 'md', mermaid: 'mmd', perl: 'pl', php: 'php',
  powershell: 'ps1', python: 'py', py: 'py', r: 'r', ruby: 'rb', rust: 'rs', scss: 'scss', sh: 'sh', shell: 'sh',
  sql: 'sql', svelte: 'svelte', svg: 'svg', swift: 'swift', toml: 'toml', ts: 'ts', tsx: 'tsx', typescript: 'ts',
  vue: 'vue', xml: 'xml', yaml: 'yaml', yml: 'yml', zig: 'zig', zsh: 'sh',
} // oxfmt-ignore

/**
 * A file, also in its folder: `app/page.tsx`, `deploy/Dockerfile.production`. Its ending is a language as it stands: the
 * highlighter knows endings as further names of its languages (`highlight.ts`), so that they need no list here.
 */
const filePattern = /^(?:[^\s"'={}:,]*\/)?(?:((?:Docker|Make)file)(?:\.\w+)?|[^\s"'={}:,/]*\.(\w{1,8}))$/

function languageOfFile(file: string): string | undefined {
  const [, name, ending] = filePattern.exec(file) ?? []
  return (name ?? ending)?.toLowerCase()
}

type FenceInfo = {
  /** Empty where nothing tells it. */
  language: string
  label: string
  file: string | undefined
}

/** The language and, if the fence names one, the file: ```` ```ts useDebounced.ts ````. A file alone tells its language. */
export function readInfo(info: string): FenceInfo {
  const words = info.trim().split(/\s+/)
  const [first = ''] = words
  const [language = ''] = first.split(/[{:]/, 1)
  const attribute = /(?:title|file|filename)=["']?([^"'\s}]+)/.exec(info)?.[1]
  const file = attribute ?? words.find((word) => languageOfFile(word) !== undefined)
  const ownLanguage = languageOfFile(first)
  const isFromFile = ownLanguage !== undefined || language === '' || language.includes('=')
  return {
    language: isFromFile ? (ownLanguage ?? languageOfFile(file ?? '') ?? '') : language.toLowerCase(),
    label: file ?? first,
    file,
  }
}

/** The name under which a code block is saved: the file that its fence names, without folders, else by its language. */
export function codeFileName(language: string, file: string | undefined): string {
  const fileName = file?.split('/').at(-1)?.replace(/^\.+/, '')
  if (fileName) return fileName
  return `code.${(Object.hasOwn(endings, language) ? endings[language] : undefined) ?? 'txt'}`
}
