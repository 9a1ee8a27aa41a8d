import type {Mark} from './mark.ts'

export default {
  hue: 45,
  glyph: 'M5 10v4M9 6v12M13 9v6M17 4v16M21 10v4',
} satisfies Mark
