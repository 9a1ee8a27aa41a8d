import {common, createLowlight} from 'lowlight'

const lowlight = createLowlight(common)

/** One coloured piece of code: `classes` are the highlighter's scopes. Nesting is flattened, innermost scope last. */
export type CodePiece = {text: string; scope: string | undefined}

type Node = ReturnType<typeof lowlight.highlight>['children'][number]

function collect(nodes: readonly Node[], scope: string | undefined, pieces: CodePiece[]): void {
  for (const node of nodes) {
    if (node.type === 'text') pieces.push({text: node.value, scope})
    else if (node.type === 'element') {
      const names = node.properties.className
      const own = Array.isArray(names)
        ? names.find((name) => typeof name === 'string' && name.startsWith('hljs-'))
        : undefined
      collect(node.children, typeof own === 'string' ? own.slice('hljs-'.length) : scope, pieces)
    }
  }
}

/** More pieces than this (each is an element) would hold the page up when they are put on screen. */
const mostPieces = 4_000

/**
 * Code as coloured pieces; `undefined` when the language is unknown or the pieces are too many. Its regular expressions can
 * take seconds for hostile code, so only the worker (`highlight.worker.ts`) calls it.
 */
export function highlight(code: string, language: string): CodePiece[] | undefined {
  if (!lowlight.registered(language)) return undefined
  const pieces: CodePiece[] = []
  collect(lowlight.highlight(language, code).children, undefined, pieces)
  return pieces.length > mostPieces ? undefined : pieces
}
