import type {Mark} from './mark.ts'

export default {
  hue: 150,
  glyph: 'M6 4v16M18 5l-11 8M11 10l7 9',
} satisfies Mark
