import {choicesOf, type AnyForm, type AnyScreen} from '#features/media/any-tool.ts'

/** The ratio of a form that is nearest to an image's (width by height), by the choices the form has. */
export function nearestRatio(screen: AnyScreen, form: AnyForm, ratio: number): AnyForm {
  const field = screen.fields.find(({kind}) => kind === 'ratio')
  if (field === undefined || !('choices' in field)) return {}
  const distance = (value: unknown) => {
    const [width, height] = String(value).split(':').map(Number)
    return width !== undefined && height !== undefined && width > 0 && height > 0
      ? Math.abs(Math.log(width / height / ratio))
      : Number.POSITIVE_INFINITY
  }
  const [nearest] = [...choicesOf(field, form)].sort((one, other) => distance(one.value) - distance(other.value))
  return nearest === undefined || distance(nearest.value) === Number.POSITIVE_INFINITY
    ? {}
    : {[field.key]: nearest.value}
}
