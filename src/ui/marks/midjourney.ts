import type {Mark} from './mark.ts'

export default {
  hue: 265,
  glyph: 'M4 18c4-1 6-5 8-12 2 7 4 11 8 12M4 18h16',
} satisfies Mark
