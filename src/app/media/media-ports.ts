import {costOf} from '#domain/price-rules.ts'
import {usedValues, type UseTarget} from '#domain/use-in.ts'
import {anyScreen, choicesOf, type AnyForm, type AnyScreen} from '#features/media/any-tool.ts'
import type {ChatPorts} from '#features/chat/chat.context.tsx'
import type {MediaPorts} from '#features/media/media.context.tsx'
import type {Notice} from '#machines/notices/notices.machine.ts'
import {loadTool} from 'virtual:media-tools'
import type {OpenMedia} from './open-media.ts'
import {nameOf, ownResults} from './own-results.ts'

type Wiring = {
  opened: OpenMedia
  chat: ChatPorts
  navigate: (href: string) => void
  notify: (notice: Notice) => void
  startSetUp: () => void
}

const toolHref = (tool: string) => `/${tool}`

/** The ratio of a form that is nearest to a picture's, by the choices the form has. */
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

/** Fills the ports of the media views. */
export function createMediaPorts({opened, chat, navigate, notify, startSetUp}: Wiring): MediaPortsOfTool {
  const {tools, tool, defaults} = opened
  const failed = (name: string) =>
    notify({id: tools.newKey(), kind: 'error', textId: 'common.mediaOpenFailed', values: {tool: name}})

  const fillTool = async (target: Extract<UseTarget, {kind: 'tool'}>, ratio: number | undefined) => {
    const [{actors}, loaded] = await Promise.all([tools.open(target.tool), loadTool[target.tool]?.()])
    const {form} = actors.generation.getSnapshot().context
    const values = usedValues(form, target.input, target.value)
    const matched = loaded === undefined ? {} : nearestRatio(anyScreen(loaded.screen), {...form, ...values}, ratio)
    actors.generation.send({type: 'form.fill', values: {...matched, ...values}})
    navigate(toolHref(target.tool))
  }
  const draftInChat = ({group, as, value}: Extract<UseTarget, {kind: 'chat'}>) => {
    const key = `new/${group}`
    const draft = chat.drafts.read(key) ?? {text: '', references: []}
    chat.drafts.write(
      key,
      as === 'question'
        ? {...draft, text: draft.text === '' ? value : `${draft.text.trimEnd()}\n${value}`}
        : {...draft, references: [...draft.references, {url: value, name: nameOf(value), size: undefined}]},
    )
    chat.navigation.go({group, conversation: undefined})
  }
  return {
    navigation: {
      toolHref,
      historyHref: (id) => `${toolHref(id)}/history`,
      go: navigate,
      addCreditsHref: chat.navigation.addCreditsHref,
    },
    files: {hold: (file) => tools.files().hold(file), previewOf: (id) => tools.files().previewOf(id)},
    useIn: (target, {ratio}) => {
      if (target.kind === 'chat') return draftInChat(target)
      const name = opened.identities.find(({id}) => id === target.tool)?.name ?? target.tool
      fillTool(target, ratio).catch(() => failed(name))
    },
    notify: (notice) => notify({id: tools.newKey(), ...notice, values: plainValues(notice.values)}),
    startSetUp,
    ownResults: (medium) => ownResults(opened, medium),
    costOf,
    newKey: tools.newKey,
    now: tools.now,
    formOf: (request, taskType) => ({...defaults, ...(tool.reuse?.(request, taskType) ?? request)}),
  }
}

type MediaPortsOfTool = MediaPorts & {
  formOf: (request: Record<string, unknown>, taskType: string | undefined) => AnyForm
}

/** Values of a notice are texts and numbers. */
const plainValues = (values: Record<string, string | number | Date> = {}) =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, value instanceof Date ? value.toISOString() : value]),
  )
