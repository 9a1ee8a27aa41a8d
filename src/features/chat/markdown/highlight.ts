import dockerfile from 'highlight.js/lib/languages/dockerfile'
import {common, createLowlight} from 'lowlight'

const lowlight = createLowlight({...common, dockerfile})
/** Endings of files that are no names of languages yet: a fence may name a file alone (`code-file.ts`). */
lowlight.registerAlias({
  bash: ['bashrc', 'zshrc'],
  ini: ['cfg', 'env'],
  json: ['ipynb', 'jsonl'],
  markdown: ['mdx'],
  python: ['pyi'],
  // what files of Vue and Svelte begin with is a template; their scripts and styles are found by their tags
  xml: ['csproj', 'htm', 'svelte', 'vue'],
})

/** A coloured piece of code with the first word of its scope. Nesting is flattened: the innermost scope counts. */
export type CodePiece = {text: string; scope: string | undefined}

type Node = ReturnType<typeof lowlight.highlight>['children'][number]

/** Scopes without a colour of their own. */
const plainScopes: ReadonlySet<string | undefined> = new Set(['punctuation', 'operator', 'subst'])

/** Neighbours that look the same are one piece. */
function add(pieces: CodePiece[], text: string, scope: string | undefined): void {
  const last = pieces.at(-1)
  if (last?.scope === scope && last !== undefined) last.text += text
  else pieces.push({text, scope})
}

function collect(nodes: readonly Node[], scope: string | undefined, pieces: CodePiece[]): void {
  for (const node of nodes) {
    if (node.type === 'text') add(pieces, node.value, plainScopes.has(scope) ? undefined : scope)
    else if (node.type === 'element') {
      const names = node.properties.className
      const own = Array.isArray(names)
        ? names.find((name) => typeof name === 'string' && name.startsWith('hljs-'))
        : undefined
      collect(node.children, typeof own === 'string' ? own.slice('hljs-'.length).split('.', 1)[0] : scope, pieces)
    }
  }
}

/** Each piece is an element. Code has at most so many, */
const mostPieces = 4_000
/** and if it is long, at most one for so many characters: common languages have one for six. */
const charactersOfPiece = 3

/**
 * Code as coloured pieces; `undefined` if the language is unknown or there are too many pieces. Hostile code can keep
 * its regular expressions busy for seconds, so only the worker (`highlight.worker.ts`) calls it.
 */
export function highlight(code: string, language: string): CodePiece[] | undefined {
  if (!lowlight.registered(language)) return undefined
  const pieces: CodePiece[] = []
  collect(lowlight.highlight(language, code).children, undefined, pieces)
  return pieces.length > Math.max(mostPieces, code.length / charactersOfPiece) ? undefined : pieces
}
