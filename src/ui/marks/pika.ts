import type {Mark} from './mark.ts'

export default {
  hue: 350,
  glyph: 'M13 3 6 13h5l-1 8 8-11h-6z',
} satisfies Mark
