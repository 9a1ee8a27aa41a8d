import {useMemo} from 'react'
import {useSelector} from '@xstate/react'
import {usedValues, targetsOf, type UseTarget} from '#domain/use-in.ts'
import {mostFavourites} from '#domain/merge-favourites.ts'
import {countMarks} from '#domain/favourites.ts'
import {messageId} from '#contract/media/media-screen.ts'
import type {Submission, ToolInput} from '#contract/media/media-tool.ts'
import {selectApplication, selectService} from '#machines/provisioning/provisioning.selectors.ts'
import {selectMarks} from '#machines/task-favourites/task-favourites.machine.ts'
import {loadPart} from '#ui/load-part.ts'
import {useText, type MessageId, type Text} from '#ui/text.tsx'
import {choicesOf, type AnyForm} from './any-tool.ts'
import {titleOf, workOf} from './card-title.ts'
import {creditsOf} from './credits.ts'
import {selectCards, type Card} from '#machines/task-list/task-list.selectors.ts'
import {isBusy} from './feed/filter-cards.ts'
import {resultMenus} from './feed/lazy-menu.tsx'
import {contentShape} from './feed/ratio.ts'
import type {ShortActions} from './feed/card-commands.ts'
import {inputImages} from './input-thumbs.tsx'
import type {MediaCommands} from './media-commands.ts'
import {madeText} from './made-values.ts'
import {safeUrl} from './media-url.ts'
import {useFlowDialog, useMedia, useRenewDialog, type Media} from './media.context.ts'
import {actionGroups, subjectOf, usedAmong, type OfferedAction} from './result-actions.ts'
import {worksOn} from './works-on.ts'
import {sameAgain} from './same-again.ts'
import type {TargetName} from './use-targets.tsx'
import {isChanged, isNumber, formFromRequest} from './settings-values.ts'
import {choiceText, useToolText, type ToolText} from './use-tool-text.ts'

/** Kinds of settings that say how a result was made, in the order they are told: the model, then the rest, then the shape. */
const metaKinds = ['tiles', 'select', 'segmented', 'ratio'] as const

/** How a task was made, in a few words: what it did, the settings that are not at their default, then what it costs. */
function metaOf(media: Media, card: Card, toolText: ToolText, text: Text): string[] {
  const settings = formFromRequest(media.tool, card)
  const parts = metaKinds.flatMap((kind) =>
    media.screen.fields.flatMap((field) => {
      if (field.kind !== kind || !('choices' in field) || !isChanged(field, settings, media.defaults)) return []
      const choice = choicesOf(field, settings).find(({value}) => value === settings[field.key])
      if (choice === undefined || isNumber(choice)) return []
      return [madeText(field, choice, card.reading.artifacts[0], toolText) ?? choiceText(toolText, choice)]
    }),
  )
  const work = workOf(media, card, toolText)
  if (work !== undefined) parts.unshift(work)
  return [...new Set(parts)].slice(0, 5).concat(costsOf(card, text))
}

/** What a task was charged, or what is put aside for it while it runs. A failed one tells it beside its reason. */
function costsOf(card: Card, text: Text): string[] {
  const {held = 0, settled = 0} = card.credits ?? {}
  if (card.state === 'succeeded') return settled === 0 ? [] : [text('common.creditAmount', {amount: settled})]
  if (held === 0 || !isBusy(card)) return []
  return [text('common.mediaHeldOf', {credits: text('common.creditAmount', {amount: held})})]
}

/** What a user can do with the tasks of this tool. The same object while language and tool stay. */
export function useCommands(onFormShown: () => void): MediaCommands {
  const media = useMedia()
  const text = useText()
  const toolText = useToolText(media.identity.id)
  const {actors, screen, identity, navigation} = media
  const askToRenew = useRenewDialog()
  const tellFlow = useFlowDialog()
  const applicationId = useSelector(actors.provisioning, (snapshot) => selectApplication(snapshot)?.id)
  return useMemo((): MediaCommands => {
    const {generation, list, requests, favourites} = actors
    const fill = (values: AnyForm) => {
      generation.send({type: 'form.fill', values})
      onFormShown()
    }
    const send = ({key: from}: Card, submission: Submission, form?: AnyForm) => {
      const intent = {key: media.newKey(), tool: identity.id, submission, at: media.now()}
      requests.send({type: 'task.submit', from, intent: form === undefined ? intent : {...intent, form}})
    }
    const subject = (card: Card, index: number) => {
      const artifact = card.reading.artifacts[index]
      return artifact === undefined ? undefined : {card, index, artifact}
    }
    const costOf = ({submission}: OfferedAction) =>
      submission && creditsOf(media, selectService(actors.provisioning.getSnapshot()), submission.body)
    const isUsed = (offered: OfferedAction) =>
      usedAmong([offered], worksOn(selectCards(list.getSnapshot()))).has(offered)
    const groups = (card: Card, index: number) => {
      const at = subject(card, index)
      // nothing is made of what is not done: the server has no file of it yet
      return at === undefined || isBusy(card)
        ? []
        : actionGroups(screen, subjectOf(at), generation.getSnapshot().context.form)
    }
    const act = (card: Card, index: number, {action, submission}: OfferedAction) => {
      const at = subject(card, index)
      if (at === undefined) return
      if (submission !== undefined) send(card, submission)
      else if ('fill' in action) fill(action.fill(subjectOf(at), generation.getSnapshot().context.form))
    }
    const targets = (card: Card, index: number) => {
      const at = subject(card, index)
      return at === undefined ? [] : targetsOf(media.offered, media.chats, at.artifact)
    }
    const targetName = ({tool, input}: Extract<UseTarget, {kind: 'tool'}>): TargetName => ({
      name: media.offered.find(({id}) => id === tool)?.name ?? tool,
      group: media.offered.find(({id}) => id === tool)?.group ?? identity.group,
      // as: a tool's files name messages as plain text
      role: text(messageId(tool, input.label) as MessageId),
    })
    const goTo = (card: Card, target: UseTarget) => {
      const ratio = card.reading.artifacts.length === 0 ? undefined : contentShape(media.tool, card, Number.NaN).ratio
      media.useIn(target, {ratio: Number.isNaN(ratio) ? undefined : ratio})
    }
    const useFrame = (card: Card, target: UseTarget, video: () => HTMLVideoElement | null) => {
      const shown = {tool: identity.id, prompt: card.prompt, target, video: video()}
      loadPart(() => import('./send-frame.ts')).then(
        ({sendFrame}) => sendFrame(media, shown),
        () => media.notify({kind: 'error', textId: 'common.mediaFrameFailed'}),
      )
    }
    const download = (card: Card, index?: number) => {
      loadPart(() => import('./save-file.ts'))
        .then(async ({filesOf, saveFile}) => {
          for (const {url, name} of filesOf(identity.id, card, commands.work(card), index)) await saveFile(url, name)
        })
        .catch(() => media.notify({kind: 'error', textId: 'common.mediaDownloadFailed'}))
    }
    /** Ours: another back end does not know how to delete a task. What it does not have needs no call. */
    const mayRemove = ({id, state}: Card) =>
      id === undefined ||
      state === 'gone' ||
      selectService(actors.provisioning.getSnapshot())?.metadata?.capabilities?.includes('delete') === true
    const renew = ({id: task, state, reading}: Card, index: number) => {
      const address = safeUrl(reading.artifacts[index]?.url)
      if (task === undefined || address === undefined || state !== 'succeeded') return undefined
      return media.renewal?.isOwn(address) === true ? () => askToRenew({task, address}) : undefined
    }
    const remove = (card: Card) => {
      if (!mayRemove(card)) return
      if (card.id !== undefined) list.send({type: 'task.remove', id: card.id})
      else requests.send({type: 'submission.discard', key: card.key})
    }
    const setFavourite = ({id}: Card, isOn: boolean, index?: number) => {
      if (id === undefined) return
      if (isOn && countMarks(selectMarks(favourites.getSnapshot())) >= mostFavourites)
        return media.notify({kind: 'error', textId: 'common.mediaFavouritesFull', values: {count: mostFavourites}})
      const at = Math.round(media.now() * 1_000)
      favourites.send({type: 'favourite.set', id: index === undefined ? id : `${id}/${index}`, isOn, at})
    }
    const commands: MediaCommands = {
      setFavourite,
      groups,
      act,
      costOf,
      isUsed,
      targets,
      promptTargets: ({prompt}) => targetsOf(media.offered, media.chats, {medium: 'text', text: prompt}),
      targetName,
      goTo,
      frameTargets: () => targetsOf(media.offered, media.chats, {medium: 'image', url: 'atrium:frame'}),
      useFrame,
      mayRemove,
      tellFlow,
      renew,
      remove,
      addCredits: ({failure}) => navigation.addCredits(applicationId, failure),
      now: media.now,
      meta: (card) => metaOf(media, card, toolText, text),
      title: (card) => titleOf(media, card, toolText, text),
      work: (card) => workOf(media, card, toolText),
      inputs: (card) => inputImages(screen, media.formOf(card.request, card.type), toolText),
      retry: (card) => {
        const submission = sameAgain(media.tool, card)
        if (submission === undefined) fill(media.formOf(card.request, card.type))
        else send(card, submission, formFromRequest(media.tool, card))
      },
      edit: (card) => fill(media.formOf(card.request, card.type)),
      reuse: (card) => fill(media.formOf(card.request, card.type)),
      usePrompt: (prompt) => {
        // the tool says what else has to be set for its prompt to count: another tab, say
        const inputs: readonly ToolInput[] = identity.inputs
        const input = inputs.find(({medium, field}) => medium === 'text' && field === 'prompt')
        const {form} = generation.getSnapshot().context
        fill(input === undefined ? {prompt} : usedValues(form, input, prompt))
      },
      check: (card) => list.send({type: 'task.check', ...(card.id === undefined ? {} : {id: card.id})}),
      sendAgain: (card) => requests.send({type: 'submission.retry', key: card.key}),
      discard: (card) => requests.send({type: 'submission.discard', key: card.key}),
      download,
      menu: (card, index) => (index === undefined ? menus(card)?.ofCard() : menus(card)?.ofResult(index)) ?? [],
      shortActions: (card, index) =>
        groups(card, index).flatMap(({label, actions}): ShortActions[] => {
          const short = actions.flatMap((offered) => {
            const cost = costOf(offered)
            const price = cost === undefined || cost === 0 ? [] : [text('common.creditAmount', {amount: cost})]
            const {short: letters, label: name} = offered.action
            return letters === undefined ? [] : [{short: letters, name: toolText(name), price, offered}]
          })
          return short.length === 0 ? [] : [{label: toolText(label ?? 'common.mediaActions'), actions: short}]
        }),
      menuOf: (card, index, own) => menus(card)?.ofResult(index, own) ?? [],
      useIn: (card, index) => menus(card)?.places(index) ?? [],
      frameMenu: (card, video) => menus(card)?.ofFrame(video) ?? [],
      promptMenu: (card) => menus(card)?.ofPrompt() ?? [],
    }
    // what asks for a menu has loaded how they are made (lazy-menu.tsx)
    const menus = (card: Card) => resultMenus.loaded?.(card, {commands, media, text, toolText})
    return commands
  }, [actors, screen, identity, navigation, media, text, toolText, applicationId, onFormShown, askToRenew, tellFlow])
}
