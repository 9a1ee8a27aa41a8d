/* Values of code images (qrart, contract/media §2.2). */

export const qrOptions = {
  presets: [
    'sunset',
    'floral',
    'snowflakes',
    'feathers',
    'raindrops',
    'ultra-realism',
    'epic-realms',
    'intricate-studio',
    'symmetric-masterpiece',
    'luminous-highway',
    'celestial-journey',
    'neon-mech',
    'ethereal-low-poly',
    'golden-vista',
    'cinematic-expanse',
    'cinematic-warm',
    'desolate-wilderness',
    'vibrant-palette',
    'enigmatic-journey',
    'timeless-cinematic',
    'regal-galaxy',
    'illustrious-canvas',
    'expressive-mural',
    'serene-haze',
  ],
  types: ['text', 'link', 'email', 'phone', 'sms'],
  ratios: ['1:1', '4:3', '3:4', '16:9', '9:16'],
  positions: ['center', 'top', 'right', 'bottom', 'left', 'top-left', 'top-right', 'bottom-left', 'bottom-right'],
  pixelStyles: ['square', 'rounded', 'dot', 'squircle', 'row', 'column'],
  markerShapes: ['square', 'circle', 'plus', 'box', 'octagon', 'tiny-plus', 'random'],
  subMarkers: ['square', 'circle', 'plus', 'box', 'random'],
  rotations: [0, 90, 180, 270],
  corrections: ['L', 'M', 'Q', 'H'],
  paddings: [0, 5, 10, 15, 20],
  noises: [0, 0.25, 0.5, 0.75, 1],
} as const

type Option<Name extends keyof typeof qrOptions> = (typeof qrOptions)[Name][number]

/** Position of a code in its image, and the look of its parts. */
export type CodeLook = {
  steps: number
  position: Option<'positions'>
  pixelStyle: Option<'pixelStyles'>
  markerShape: Option<'markerShapes'>
  subMarker: Option<'subMarkers'>
  rotate: Option<'rotations'>
  paddingLevel: Option<'paddings'>
  paddingNoise: Option<'noises'>
}

/** Capacity of the largest code in bytes, by error correction (ISO/IEC 18004, version 40). */
export const codeRoom = {L: 2953, M: 2331, Q: 1663, H: 1273} as const

const schemes: Partial<Record<(typeof qrOptions.types)[number], string>> = {
  email: 'mailto:',
  phone: 'tel:',
  sms: 'sms:',
}

/** The decoded content: an address, number or message as a link that phones open. */
export function codeContent(type: (typeof qrOptions.types)[number], content: string): string {
  const scheme = schemes[type] ?? ''
  const trimmedText = content.trim()
  return trimmedText === '' || trimmedText.toLowerCase().startsWith(scheme) ? trimmedText : scheme + trimmedText
}

export const isTooMuch = (content: string, correction: keyof typeof codeRoom) =>
  utf8Length(content) > codeRoom[correction]

export function utf8Length(text: string): number {
  let bytes = 0
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return bytes
}
