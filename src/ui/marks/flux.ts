import type {Mark} from './mark.ts'

export default {
  hue: 300,
  glyph: 'M5 7h9a4 4 0 0 1 0 8H5M9 3 5 7l4 4M9 19l-4-4',
} satisfies Mark
