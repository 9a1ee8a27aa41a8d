import type {UseTarget} from '#domain/use-in.ts'
import {writeClipboard} from '#ui/clipboard.ts'
import type {MenuEntry, MenuGroup, MenuItem, Submenu} from '#ui/menu-entry.ts'
import type {MessageId, Text} from '#ui/text.tsx'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {safeUrl} from './media-url.ts'
import type {Media} from './media.context.ts'
import type {OfferedAction} from './result-actions.ts'
import type {MediaCommands} from './media-commands.ts'
import {groupedTargets, keyOfTarget} from './use-targets.tsx'
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
  const copyItem = (label: MessageId, value: string | undefined, help?: MessageId): MenuItem[] => {
    if (value === undefined || value === '') return []
    const copy = () => {
      writeClipboard(value).then(
        () => media.notify({kind: 'success', textId: 'common.copied'}),
        () => media.notify({kind: 'error', textId: 'common.copyFailed'}),
      )
    }
    return [item(label, copy, help === undefined ? {} : {description: text(help)})]
  }
  /** What is said at the end of an action's line. */
  const noteOf = (offered: OfferedAction) => {
    const cost = commands.costOf(offered)
    // that something is free is said where it is asked for, not on each of a dozen lines
    const price = cost === undefined || cost === 0 ? [] : [creditText(text, cost)]
    return (commands.isUsed(offered) ? [text('common.mediaUsedBefore'), ...price] : price).join(' · ')
  }
  /** What stands on the card itself is not in its menu again; several of one heading are one line that opens them. */
  const actions = (index: number): MenuEntry[] => {
    const items = commands.groups(card, index).flatMap(({label, actions: offers}, place): MenuGroup['items'] => {
      const lines = offers
        .filter(({action}) => action.short === undefined)
        .map((offered) => ({
          id: offered.action.id,
          label: toolText(offered.action.label),
          end: noteOf(offered) || undefined,
          onSelect: () => commands.act(card, index, offered),
        }))
      return label === undefined || lines.length < 2
        ? lines
        : [{kind: 'submenu', id: `actions-${place}`, label: toolText(label), entries: lines}]
    })
    return group('common.mediaActions', items)
  }
  const placesOf = (
    targets: readonly UseTarget[],
    go = (target: UseTarget) => commands.goTo(card, target),
  ): MenuEntry[] =>
    groupedTargets(text, targets, commands.targetName).map(({id: name, label, places}) => ({
      kind: 'group',
      id: name,
      label,
      items: places.map(({target, name: tool, role}) => ({
        id: keyOfTarget(target),
        label: tool,
        description: role,
        onSelect: () => go(target),
      })),
    }))
  const submenu = (label: MessageId, entries: readonly MenuEntry[]): Submenu[] =>
    entries.length === 0 ? [] : [{kind: 'submenu', id: label, label: text(label), entries}]
  const renewItem = (index: number): MenuItem[] => {
    const renew = commands.renew(card, index)
    return renew === undefined ? [] : [item('common.mediaRenew', renew, {description: text('common.mediaRenewHelp')})]
  }
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
      ...submenu('common.copy', [
        ...copyItem('common.mediaCopyPrompt', prompt),
        ...copyItem('common.mediaCopyLink', url, 'common.mediaCopyLinkHelp'),
        ...copyItem('common.mediaCopyTaskId', id),
        ...copyItem('common.mediaCopyTrace', traceId),
        item('common.mediaWhatHappened', () => commands.tellFlow(card)),
      ]),
      ...renewItem(place ?? 0),
      ...(commands.mayRemove(card)
        ? [
            {kind: 'separator' as const, id: 'end'},
            item('common.mediaDelete', () => commands.remove(card), {danger: true, ...deleting}),
          ]
        : []),
    ]
  }
  const group = (label: MessageId, items: MenuGroup['items']): MenuEntry[] =>
    items.length === 0 ? [] : [{kind: 'group', id: label, label: text(label), items}]
  const work = (index: number): MenuEntry[] => {
    const offered = actions(index)
    return [
      ...offered,
      ...(offered.length === 0 ? [] : [{kind: 'separator' as const, id: 'work'}]),
      ...submenu('common.mediaUseIn', placesOf(commands.targets(card, index))),
    ]
  }
  const ofPrompt = () => placesOf(commands.promptTargets(card))
  return {
    /** Of one of its results, after these entries of its own. */
    ofResult: (index: number, own: readonly MenuEntry[] = []): MenuEntry[] => whole([...own, ...work(index)], index),
    /** Of a card that shows all of them: what works on one works on the first, once it is done. */
    ofCard: (): MenuEntry[] => whole(card.state === 'succeeded' ? work(0) : []),
    /** The places that can take a result, then those that can take the words it was made of. */
    places: (index: number): MenuEntry[] => [
      ...placesOf(commands.targets(card, index)),
      ...submenu('common.mediaUsePromptIn', ofPrompt()),
    ],
    ofPrompt,
    /** The places that can take the image of a video that is on screen. */
    ofFrame: (video: () => HTMLVideoElement | null): MenuEntry[] =>
      placesOf(commands.frameTargets(), (target) => commands.useFrame(card, target, video)),
  }
}

const creditText = (text: Text, amount: number) => text('common.creditAmount', {amount})
