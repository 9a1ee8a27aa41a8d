import type {Mark} from './mark.ts'

export default {
  hue: 200,
  glyph: 'M12 12a2 2 0 1 1 2 2 4 4 0 1 1-4-4 6 6 0 1 1 6 8 8 8 0 0 1-12-6',
} satisfies Mark
