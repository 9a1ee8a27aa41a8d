import {css, mix} from './colour.ts'
import {
  birds,
  clouds,
  contour,
  disc,
  linearGradient,
  pine,
  ridgePath,
  sky,
  type Canvas,
  type Layer,
  type Scene,
} from './drawing.ts'

/** Ridges behind each other that fade into the distance: mountains, hills or dunes, as the words say. */
export function landscape(canvas: Canvas): Scene {
  const {width, height, palette, words} = canvas
  const random = canvas.random.fork('landscape')
  const isDune = palette.name === 'desert' || /dune/.test(words)
  const isMountain = !isDune && (/mountain|alp|peak|rock|cliff|volcan|epic/.test(words) || random.chance(0.55))
  const hasTrees = /forest|tree|wood|pine|jungle|bear|deer|owl|fox/.test(words) || (!isDune && random.chance(0.45))
  const horizon = random.between(0.44, 0.58)
  const count = isDune ? 5 : random.integer(5, 7)

  const layers: Layer[] = [
    sky(canvas, horizon + 0.12),
    disc(
      canvas,
      random.between(0.2, 0.8) * width,
      random.between(0.2, 0.42) * height,
      random.between(0.035, 0.075) * Math.min(width, height),
    ),
    clouds(canvas, random.integer(2, 5)),
  ]
  for (let index = 0; index < count; index += 1) {
    const share = index / (count - 1)
    const ridge = contour(random.fork(`ridge ${index}`), {
      waves: (isDune ? 1.4 : 2.2) + share * 1.6,
      roughness: isDune ? 0.12 : isMountain ? 0.52 - share * 0.2 : 0.26,
      isSharp: isMountain && share < 0.7,
    })
    const base = (horizon + (0.97 - horizon) * share ** 1.15) * height
    const rise = (isMountain ? 0.17 * (1.1 - share * 0.7) : isDune ? 0.1 : 0.075) * height
    const heightAt = (place: number) => base - ridge(place) * rise
    const colour = mix(palette.horizon, palette.near, 0.16 + 0.84 * share ** 0.85)
    const fill = linearGradient([
      [0, isDune ? mix(colour, palette.light, 0.14) : colour],
      [1, mix(colour, palette.horizon, 0.26 * (1 - share))],
    ])
    const trees = hasTrees && share > 0.55 ? forest(canvas, heightAt, share, index) : ''
    layers.push({
      body: `${fill.definition}<path d="${ridgePath(canvas, heightAt)}" fill="${fill.paint}"/><path d="${trees}" fill="${css(colour)}"/>`,
      depth: 0.2 + 0.8 * share,
    })
    if (index === 1 && random.chance(0.7)) layers.push({body: birds(canvas, random.integer(4, 9)), depth: 0.5})
  }
  return {style: isDune ? 'dunes' : isMountain ? 'mountains' : 'hills', layers}
}

function forest(
  {width, height, random: base}: Canvas,
  heightAt: (place: number) => number,
  share: number,
  index: number,
): string {
  const random = base.fork(`trees ${index}`)
  const size = (0.035 + 0.13 * (share - 0.5)) * height
  const trees: string[] = []
  for (let x = -size * 0.3; x < width + size; x += size * random.between(0.16, 0.62)) {
    trees.push(pine(x, heightAt(x / width) + size * 0.08, size * random.between(0.6, 1.25), random))
  }
  return trees.join('')
}
