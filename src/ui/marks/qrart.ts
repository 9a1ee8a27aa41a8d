import type {Mark} from './mark.ts'

export default {
  hue: 215,
  glyph: 'M5 5h5v5H5zM14 5h5v5h-5zM5 14h5v5H5zM14 14h2v2h-2zM18 18h1v1h-1z',
} satisfies Mark
