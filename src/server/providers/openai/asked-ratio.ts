import type {MediaPlan} from '#contract/media/media-tool.ts'
import type {StoredFile} from '../provider.ts'

type Ratio = readonly [number, number]

/** The requested ratio, or that of the start image if the request names none. */
export async function askedRatio(plan: MediaPlan, [source]: readonly StoredFile[]): Promise<Ratio> {
  const own = plan.followsSource && source?.type.startsWith('image/') ? await imageRatio(source) : undefined
  return own ?? plan.aspectRatio
}

/** Undefined if the file cannot be read as an image; the model server then decides about it. */
async function imageRatio(source: StoredFile): Promise<Ratio | undefined> {
  const {default: sharp} = await import('sharp')
  try {
    const {autoOrient} = await sharp(await source.read()).metadata()
    return [autoOrient.width, autoOrient.height]
  } catch {
    return undefined
  }
}

type Sizes = {square: string; wide: string; tall: string}

/** The size that is nearest in shape, of one square, one wide and one just as tall. */
export function nearestOf({square, wide, tall}: Sizes, [width, height]: Ratio): string {
  const [across = 1, down = 1] = wide.split('x').map(Number)
  const between = Math.sqrt(across / down)
  return width / height >= between ? wide : height / width >= between ? tall : square
}
