/** Named character references that models use; others stay unchanged. */
const characters: Record<string, string> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', ndash: '–', mdash: '—', hellip: '…', copy: '©',
  reg: '®', trade: '™', euro: '€', pound: '£', yen: '¥', cent: '¢', sect: '§', para: '¶', deg: '°', plusmn: '±',
  times: '×', divide: '÷', frac12: '½', frac14: '¼', frac34: '¾', sup2: '²', sup3: '³', micro: 'µ', middot: '·',
  bull: '•', laquo: '«', raquo: '»', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', larr: '←', rarr: '→', uarr: '↑',
  darr: '↓', harr: '↔', le: '≤', ge: '≥', ne: '≠', asymp: '≈', infin: '∞', sum: '∑', radic: '√', shy: '\u00ad',
  ensp: '\u2002', emsp: '\u2003', thinsp: '\u2009', zwj: '\u200d', zwnj: '\u200c',
} // oxfmt-ignore

const codePoint = (value: number) =>
  value > 0 && value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff) ? String.fromCodePoint(value) : '\ufffd'

/** Decodes character references. The result is rendered as text only. */
export const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(
        /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]{1,9}));/g,
        (whole, decimal, hex, name) => {
          if (typeof decimal === 'string') return codePoint(Number(decimal))
          if (typeof hex === 'string') return codePoint(Number.parseInt(hex, 16))
          return typeof name === 'string' && Object.hasOwn(characters, name) ? (characters[name] ?? whole) : whole
        },
      )
    : text
