/** Letters as strokes in boxes 10 wide and 14 high: a font may be missing on the machine, paths are not. */
const letters: Readonly<Record<string, string>> = {
  S: 'M9 3Q8 1 5 1Q1.4 1 1.4 4Q1.4 6.4 5 7Q9 7.6 9 10.2Q9 13 5 13Q1.8 13 1 10.8',
  A: 'M0.8 13L5 1L9.2 13M2.4 9H7.6',
  N: 'M1.4 13V1L8.8 13V1',
  D: 'M1.4 1H4Q9 1 9 7Q9 13 4 13H1.4Z',
  B: 'M1.4 1H5Q8.2 1 8.2 4Q8.2 6.8 5 6.8H1.4H5.4Q9 6.8 9 9.9Q9 13 5.4 13H1.4Z',
  O: 'M5 1Q9.2 1 9.2 7Q9.2 13 5 13Q0.8 13 0.8 7Q0.8 1 5 1Z',
  X: 'M1 1L9 13M9 1L1 13',
}
const word = 'SANDBOX'
const step = 13

/** The word SANDBOX on a dark pill in the lower left corner, or in the upper one, as part of an SVG of that size. */
export function watermark(
  {width, height}: {width: number; height: number},
  corner: 'lower' | 'upper' = 'lower',
): string {
  const letterHeight = Math.max(8, Math.min(width, height) * 0.02)
  const scale = letterHeight / 14
  const wide = (word.length * step - 3) * scale
  const padding = letterHeight * 0.62
  const margin = letterHeight * 0.9
  const [left, top] = [margin, corner === 'upper' ? margin : height - letterHeight - 2 * padding - margin]
  const pill = `<rect x="${left.toFixed(1)}" y="${top.toFixed(1)}" width="${(wide + 2 * padding).toFixed(1)}" height="${(letterHeight + 2 * padding).toFixed(1)}" rx="${(letterHeight / 2 + padding).toFixed(1)}" fill="#000" fill-opacity="0.42"/>`
  const strokes = [...word]
    .map((letter, index) => `<path transform="translate(${index * step} 0)" d="${letters[letter]}"/>`)
    .join('')
  return `${pill}<g transform="translate(${(left + padding).toFixed(1)} ${(top + padding).toFixed(1)}) scale(${scale.toFixed(3)})" fill="none" stroke="#fff" stroke-opacity="0.92" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round">${strokes}</g>`
}
