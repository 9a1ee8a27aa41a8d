import {usedValues, type UseTarget} from '#domain/use-in.ts'
import {choicesOf, type AnyForm, type AnyScreen} from '#features/media/any-tool.ts'
import {loadTool} from 'virtual:media-tools'
import type {Wiring} from './media-ports.ts'
import {nameOf} from './own-results.ts'
import {toolHref} from './tool-href.ts'

type Parts = Pick<Wiring, 'opened' | 'chat' | 'navigate'>

/** The ratio of a form that is nearest to an image's, by the choices the form has. */
function nearestRatio(screen: AnyScreen, form: AnyForm, ratio: number | undefined): AnyForm {
  if (ratio === undefined) return {}
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

async function fillTool(
  {opened: {tools}, navigate}: Parts,
  target: Extract<UseTarget, {kind: 'tool'}>,
  ratio: number | undefined,
) {
  const [{actors}, loaded] = await Promise.all([tools.open(target.tool), loadTool[target.tool]?.()])
  const {form} = actors.generation.getSnapshot().context
  const values = usedValues(form, target.input, target.value, ...(target.more ?? []))
  const matched = loaded === undefined ? {} : nearestRatio(loaded.screen, {...form, ...values}, ratio)
  actors.generation.send({type: 'form.fill', values: {...matched, ...values}})
  navigate(toolHref(target.tool))
}

function draftInChat({chat}: Parts, {group, as, value, more = []}: Extract<UseTarget, {kind: 'chat'}>) {
  const key = `new/${group}`
  const draft = chat.drafts.read(key) ?? {text: '', references: []}
  chat.drafts.write(
    key,
    as === 'question'
      ? {...draft, text: draft.text === '' ? value : `${draft.text.trimEnd()}\n${value}`}
      : {
          ...draft,
          references: [
            ...draft.references,
            ...[value, ...more].map((url) => ({url, name: nameOf(url), size: undefined})),
          ],
        },
  )
  chat.navigation.go({group, conversation: undefined})
}

/** Puts a result into the form of another tool or the composer of a chat, and goes there. */
export async function putResult(parts: Parts, target: UseTarget, ratio: number | undefined): Promise<void> {
  if (target.kind === 'chat') draftInChat(parts, target)
  else await fillTool(parts, target, ratio)
}
