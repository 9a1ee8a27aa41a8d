import {common, createLowlight} from 'lowlight'

const lowlight = createLowlight(common)

/** A coloured piece of code: `scopes` are the highlighter's scopes. Nesting is flattened, innermost scope last. */
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

/** Each piece is an element; more would block the page while rendering. */
const mostPieces = 4_000

/**
 * Code as coloured pieces; `undefined` if the language is unknown or there are too many pieces. Hostile code can keep
 * its regular expressions busy for seconds, so only the worker (`highlight.worker.ts`) calls it.
 */
export function highlight(code: string, language: string): CodePiece[] | undefined {
  if (!lowlight.registered(language)) return undefined
  const pieces: CodePiece[] = []
  collect(lowlight.highlight(language, code).children, undefined, pieces)
  return pieces.length > mostPieces ? undefined : pieces
}
