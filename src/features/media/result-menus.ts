import type {UseTarget} from '#domain/use-in.ts'
import {writeClipboard} from '#ui/clipboard.ts'
import type {MenuEntry, MenuItem} from '#ui/menu.tsx'
import type {MessageId, Text} from '#ui/text.tsx'
import type {Card} from './feed/card.ts'
import {safeUrl} from './media-url.ts'
import type {Media} from './media.context.tsx'
import type {OfferedAction} from './result-actions.ts'
import type {MediaCommands} from './use-commands.ts'
import {keyOfTarget, nameOfTarget} from './use-targets.tsx'
import type {ToolText} from './use-tool-text.ts'

type Surroundings = {
  commands: MediaCommands
  media: Pick<Media, 'notify'>
  text: Text
  toolText: ToolText
}

/** The menus of one task. They are loaded when a pointer or the focus first reaches the button of one. */
export function menusOf(card: Card, {commands, media, text, toolText}: Surroundings) {
  const {id, traceId, prompt} = card
  const item = (label: MessageId, onSelect: () => void, more: Partial<MenuItem> = {}): MenuItem => ({
    id: label,
    label: text(label),
    onSelect,
    ...more,
  })
  const copyItem = (label: MessageId, value: string | undefined): MenuItem[] => {
    if (value === undefined || value === '') return []
    const copy = () => {
      writeClipboard(value).then(
        () => media.notify({kind: 'success', textId: 'common.copied'}),
        () => media.notify({kind: 'error', textId: 'common.copyFailed'}),
      )
    }
    return [item(label, copy)]
  }
  /** What is said at the end of an action's line. */
  const noteOf = (offered: OfferedAction) => {
    const cost = commands.costOf(offered)
    // that something is free is said where it is asked for, not on each of a dozen lines
    const price = cost === undefined || cost === 0 ? [] : [creditText(text, cost)]
    return (commands.isUsed(offered) ? [text('common.mediaUsedBefore'), ...price] : price).join(' · ')
  }
  const actions = (index: number): MenuEntry[] =>
    commands.groups(card, index).map((group, place) => ({
      kind: 'group',
      id: `actions-${place}`,
      label: group.label === undefined ? text('common.mediaActions') : toolText(group.label),
      items: group.actions.map((offered) => ({
        id: offered.action.id,
        label: toolText(offered.action.label),
        end: noteOf(offered) || undefined,
        onSelect: () => commands.act(card, index, offered),
      })),
    }))
  const itemsOf = (targets: readonly UseTarget[]): MenuItem[] =>
    targets.map((target) => {
      const {name, role} = nameOfTarget(text, target, commands.targetName)
      return {
        id: keyOfTarget(target),
        label: name,
        description: role,
        onSelect: () => commands.goTo(card, target),
      }
    })
  /** `place`: of one result; absent of the card, whose files go together and whose link is that of the first. */
  const whole = (entries: readonly MenuEntry[], place?: number): MenuEntry[] => {
    const url = safeUrl(card.reading.artifacts[place ?? 0]?.url)
    const again =
      card.state === 'failed'
        ? [item('common.mediaTryAgain', () => commands.retry(card))]
        : card.state === 'rejected' || card.state === 'usedUp'
          ? [item('common.mediaTryAgain', () => commands.sendAgain(card))]
          : []
    const deleting = card.isDue ? {description: text('common.mediaDeleteCharged')} : {}
    return [
      ...(url === undefined ? [] : [item('common.mediaDownload', () => commands.download(card, place))]),
      ...again,
      item('common.mediaReuse', () => commands.reuse(card)),
      ...entries,
      {kind: 'separator', id: 'copies'},
      ...copyItem('common.mediaCopyPrompt', prompt),
      ...copyItem('common.mediaCopyLink', url),
      ...copyItem('common.mediaCopyTaskId', id),
      ...copyItem('common.mediaCopyTrace', traceId),
      ...(commands.mayRemove(card)
        ? [
            {kind: 'separator' as const, id: 'end'},
            item('common.mediaDelete', () => commands.remove(card), {danger: true, ...deleting}),
          ]
        : []),
    ]
  }
  const group = (label: MessageId, items: MenuItem[]): MenuEntry[] =>
    items.length === 0 ? [] : [{kind: 'group', id: label, label: text(label), items}]
  const work = (index: number) => [
    ...actions(index),
    ...group('common.mediaUseIn', itemsOf(commands.targets(card, index))),
  ]
  const ofPrompt = () => itemsOf(commands.promptTargets(card))
  return {
    /** Of one of its results, after these entries of its own. */
    ofResult: (index: number, own: readonly MenuEntry[] = []): MenuEntry[] => whole([...own, ...work(index)], index),
    /** Of a card that shows all of them: what works on one works on the first, once it is done. */
    ofCard: (): MenuEntry[] => whole(card.state === 'succeeded' ? work(0) : []),
    /** The places that can take a result, then those that can take the words it was made of. */
    places: (index: number): MenuEntry[] => [
      ...itemsOf(commands.targets(card, index)),
      ...group('common.mediaUsePromptIn', ofPrompt()),
    ],
    ofPrompt,
  }
}

const creditText = (text: Text, amount: number) => text('common.creditAmount', {amount})
