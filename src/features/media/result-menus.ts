import type {UseTarget} from '#domain/use-targets.ts'
import type {MenuEntry, MenuGroup, MenuItem} from '#ui/menu-entry.ts'
import type {MessageId, Text} from '#ui/text.tsx'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {safeUrl} from './media-url.ts'
import type {Media} from './media.context.ts'
import {createMenuParts, type MenuParts} from './menu-parts.ts'
import type {OfferedAction} from './result-actions.ts'
import type {MediaCommands} from './media-commands.ts'
import {targetEntries} from './use-targets.tsx'
import type {ToolText} from './use-tool-text.ts'

type Surroundings = {
  commands: MediaCommands
  media: Pick<Media, 'notify'>
  text: Text
  toolText: ToolText
}

type TaskMenu = Surroundings & MenuParts & {card: Card}

/** The menus of one task. They are loaded when a pointer or the focus first reaches the button of one. */
export function menusOf(card: Card, surroundings: Surroundings) {
  const {commands, media, text} = surroundings
  const menu: TaskMenu = {...surroundings, ...createMenuParts(text, media.notify), card}
  const ofPrompt = () => namedTargets(menu, 'common.mediaUsePromptIn', commands.promptTargets(card))
  return {
    /** The menu of one of its results, after these entries of its own. */
    ofResult: (index: number, own: readonly MenuEntry[] = []): MenuEntry[] =>
      cardEntries(menu, [...own, ...resultEntries(menu, index)], index),
    /** The menu of a card that shows all results: an action on one result works on the first, once it is done. */
    ofCard: (): MenuEntry[] => cardEntries(menu, card.state === 'succeeded' ? resultEntries(menu, 0) : []),
    /** The targets that can take a result, then those that can take its prompt. */
    targets: (index: number): MenuEntry[] => [
      ...namedTargets(menu, 'common.mediaUseIn', commands.targets(card, index)),
      ...menu.submenu('common.mediaUsePromptIn', ofPrompt()),
    ],
    ofPrompt,
    /** The targets that can take the image of a video that is on screen. */
    ofFrame: (video: () => HTMLVideoElement | null): MenuEntry[] =>
      namedTargets(menu, 'common.mediaUseIn', commands.frameTargets(), (target) =>
        commands.useFrame(card, target, video),
      ),
  }
}

/** The price of an action, and whether it was used before: what stands at the end of its line. */
function noteOf({commands, text}: TaskMenu, offer: OfferedAction): string {
  const cost = commands.costOf(offer)
  // a free action says so where it is asked for, not on each of a dozen lines
  const price = cost === undefined || cost === 0 ? [] : [text('common.creditAmount', {amount: cost})]
  return (commands.isUsed(offer) ? [text('common.mediaUsedBefore'), ...price] : price).join(' · ')
}

/** The actions of a result, without those on its card. Several under one heading are one line that opens them. */
function actionEntries(menu: TaskMenu, index: number): MenuEntry[] {
  const {card, commands, toolText} = menu
  const items = commands.groups(card, index).flatMap(({label, actions}, position): MenuGroup['items'] => {
    const lines = actions
      .filter(({action}) => action.short === undefined)
      .map((offer) => ({
        id: offer.action.id,
        label: toolText(offer.action.label),
        end: noteOf(menu, offer) || undefined,
        onSelect: () => commands.act(card, index, offer),
      }))
    return label === undefined || lines.length < 2
      ? lines
      : [{kind: 'submenu', id: `actions-${position}`, label: toolText(label), entries: lines}]
  })
  return menu.group('common.mediaActions', items)
}

const namedTargets = (
  {card, commands, text}: TaskMenu,
  use: MessageId,
  targets: readonly UseTarget[],
  go = (target: UseTarget) => commands.goTo(card, target),
) => targetEntries(text, targets, commands.targetName, go, text(use))

/** The actions on a result: here, and in other tools. */
function resultEntries(menu: TaskMenu, index: number): MenuEntry[] {
  const actions = actionEntries(menu, index)
  return [
    ...actions,
    ...(actions.length === 0 ? [] : [{kind: 'separator' as const, id: 'work'}]),
    ...menu.submenu(
      'common.mediaUseIn',
      namedTargets(menu, 'common.mediaUseIn', menu.commands.targets(menu.card, index)),
    ),
  ]
}

function retryItem({card, commands, item}: TaskMenu): MenuItem[] {
  if (card.state === 'failed') return [item('common.mediaTryAgain', () => commands.retry(card))]
  if (card.state === 'rejected' || card.state === 'usedUp')
    return [item('common.mediaTryAgain', () => commands.sendAgain(card))]
  return []
}

function renewItem({card, commands, text, item}: TaskMenu, index: number): MenuItem[] {
  const renew = commands.renew(card, index)
  return renew === undefined ? [] : [item('common.mediaRenew', renew, {description: text('common.mediaRenewHelp')})]
}

function removeEntries({card, commands, text, item}: TaskMenu): MenuEntry[] {
  if (!commands.mayRemove(card)) return []
  const deleting = card.isDue ? {description: text('common.mediaDeleteCharged')} : {}
  return [
    {kind: 'separator', id: 'end'},
    item('common.mediaDelete', () => commands.remove(card), {danger: true, ...deleting}),
  ]
}

/** `position`: of one result; absent of the card, whose files go together and whose link is that of the first. */
function cardEntries(menu: TaskMenu, entries: readonly MenuEntry[], position?: number): MenuEntry[] {
  const {card, commands, item, copyItem} = menu
  const url = safeUrl(card.reading.artifacts[position ?? 0]?.url)
  return [
    ...(url === undefined ? [] : [item('common.mediaDownload', () => commands.download(card, position))]),
    ...retryItem(menu),
    item('common.mediaReuse', () => commands.reuse(card)),
    ...entries,
    ...menu.submenu('common.copy', [
      ...copyItem('common.mediaCopyPrompt', card.prompt),
      ...copyItem('common.mediaCopyLink', url, 'common.mediaCopyLinkHelp'),
      ...copyItem('common.mediaCopyTaskId', card.id),
      ...copyItem('common.mediaCopyTrace', card.traceId),
    ]),
    ...renewItem(menu, position ?? 0),
    item('common.mediaWhatHappened', () => commands.tellFlow(card)),
    ...removeEntries(menu),
  ]
}
