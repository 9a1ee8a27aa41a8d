import {css, lighten, mix} from './colour.ts'
import {clouds, disc, linearGradient, n, sky, type Canvas, type Layer, type Scene} from './drawing.ts'

/** Rows of buildings with lit windows; at night the lights are stronger than the walls. */
export function city(canvas: Canvas): Scene {
  const {width, height, palette} = canvas
  const random = canvas.random.fork('city')
  const isDark = palette.top[0] < 0.5
  const layers: Layer[] = [
    sky(canvas, 0.8),
    disc(
      canvas,
      random.between(0.2, 0.8) * width,
      random.between(0.22, 0.5) * height,
      random.between(0.06, 0.13) * Math.min(width, height),
    ),
  ]
  if (!isDark) layers.push(clouds(canvas, 3))
  const rows = 4
  for (let row = 0; row < rows; row += 1)
    layers.push({body: skyline(canvas, row, rows, isDark), depth: 0.25 + (0.75 * row) / (rows - 1)})
  return {style: 'city', layers}
}

function skyline({width, height, palette, random: base}: Canvas, row: number, rows: number, isDark: boolean): string {
  const random = base.fork(`row ${row}`)
  const share = (row + 1) / rows
  const wall = mix(palette.horizon, palette.near, 0.2 + 0.8 * share)
  const fill = linearGradient([
    [0, wall],
    [1, mix(wall, isDark ? palette.accent : palette.horizon, 0.3 * (1.2 - share))],
  ])
  const buildings: string[] = []
  const windows: string[] = []
  const unit = Math.min(width, height) * (0.035 + 0.035 * share)
  for (let x = -unit; x < width;) {
    const wide = unit * random.between(0.9, 2.4)
    const tall = height * (random.between(0.16, 0.46) * (1.25 - share * 0.5) + (random.chance(0.12) ? 0.12 : 0))
    const top = height * (0.86 + 0.06 * share) - tall
    buildings.push(
      roof(x, top, wide, random.integer(0, 3), unit),
      `M${n(x)} ${n(top)}H${n(x + wide)}V${height}H${n(x)}Z`,
    )
    const cell = unit * (0.2 + 0.1 * share)
    for (let y = top + cell; y < height; y += cell * 1.5) {
      for (let across = x + cell * 0.6; across < x + wide - cell; across += cell * 1.25) {
        if (random.chance(isDark ? 0.42 : 0.2))
          windows.push(`M${n(across)} ${n(y)}h${n(cell * 0.55)}v${n(cell * 0.8)}h${n(-cell * 0.55)}Z`)
      }
    }
    x += wide * random.between(0.86, 1.16)
  }
  const lit = isDark ? mix(palette.light, palette.accent, random.between(0.1, 0.6)) : lighten(wall, 0.12)
  return `${fill.definition}<path d="${buildings.join('')}" fill="${fill.paint}"/><path d="${windows.join('')}" fill="${css(lit)}" fill-opacity="${isDark ? n(0.4 + 0.5 * share) : 0.8}"/>`
}

function roof(x: number, top: number, wide: number, kind: number, unit: number): string {
  if (kind === 0)
    return `M${n(x + wide * 0.45)} ${n(top)}V${n(top - unit * 1.1)}H${n(x + wide * 0.45 + unit * 0.08)}V${n(top)}Z`
  if (kind === 1)
    return `M${n(x)} ${n(top + 1)}L${n(x + wide / 2)} ${n(top - unit * 0.6)}L${n(x + wide)} ${n(top + 1)}Z`
  if (kind === 2)
    return `M${n(x + wide * 0.2)} ${n(top + 1)}V${n(top - unit * 0.4)}H${n(x + wide * 0.8)}V${n(top + 1)}Z`
  return ''
}
