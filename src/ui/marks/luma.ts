import type {Mark} from './mark.ts'

export default {
  hue: 185,
  glyph: 'M12 4v3M12 17v3M4 12h3M17 12h3M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z',
} satisfies Mark
