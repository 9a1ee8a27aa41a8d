import type {CodePiece} from './highlight.ts'

/** Pieces of a known code as numbers: the page need not copy twenty thousand objects in one task. */
export type PackedPieces = {lengths: Uint32Array; scopes: Uint8Array; names: (string | undefined)[]}

export function packPieces(pieces: readonly CodePiece[]): PackedPieces {
  const names = [...new Set(pieces.map(({scope}) => scope))]
  return {
    lengths: Uint32Array.from(pieces, ({text}) => text.length),
    scopes: Uint8Array.from(pieces, ({scope}) => names.indexOf(scope)),
    names,
  }
}

export function unpackPieces(code: string, {lengths, scopes, names}: PackedPieces): CodePiece[] {
  const pieces: CodePiece[] = []
  let at = 0
  for (const [index, length] of lengths.entries()) {
    pieces.push({text: code.slice(at, at + length), scope: names[scopes[index] ?? 0]})
    at += length
  }
  return pieces
}
