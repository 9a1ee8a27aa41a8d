import {useMatches, useRouter} from '@tanstack/react-router'
import {useActorRef, useSelector} from '@xstate/react'
import {useMemo, useState} from 'react'
import {createPortal} from 'react-dom'
import type {ModelGroup} from '#contract/models.ts'
import {useChat, type ChatActors} from '#features/chat/chat.context.tsx'
import {lowScreen} from '#features/chat/compare/compare-bar.tsx'
import {comparisonHref} from '#features/chat/compare/compare-entry.ts'
import {isUsable, modelsOf} from '#features/chat/compare/compared-models.ts'
import {CompareScreen} from '#features/chat/compare/compare-screen.tsx'
import {ThreadSkeleton} from '#features/chat/thread-skeleton.tsx'
import {enabledTools} from '#features/shell/tools.ts'
import {selectIsServiceSettled, selectLastService} from '#machines/provisioning/provisioning.selectors.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {useText} from '#ui/text.tsx'
import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import {useAppActor} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {useSlots} from '../media/slots.tsx'
import {addressesOf, createCompareLogic, namesIn, showNamesIn} from './compare.ts'
import {createAnswerTimes, createColumnScrolls, keep, keptOf} from './kept-comparison.ts'

/** `/compare`: one question to several models; the address names the conversations. */
export function CompareRoute() {
  const {actors} = useChat()
  const isKnown = useSelector(
    actors?.provisioning,
    (snapshot) => snapshot !== undefined && selectIsServiceSettled(snapshot),
  )
  return (
    <>
      <HeadTitle />
      {actors === undefined || !isKnown ? <ThreadSkeleton /> : <Comparison actors={actors} />}
    </>
  )
}

/** On phones the head names the page, unless it has no room left. */
function HeadTitle() {
  const text = useText()
  const {head} = useSlots()
  const isPhone = useMediaQuery(phone)
  const isLow = useMediaQuery(lowScreen)
  return isPhone && !isLow && head !== null ? createPortal(<strong>{text('compare.title')}</strong>, head) : null
}

/** Names of the conversations in this page's address, also while the next page loads. */
function useNames(): string[] {
  // those of the match: the location is the next page's before that is shown
  const names = useMatches({
    // as: whatever an address has; the router reads texts alone (plain-search.ts)
    select: (matches) => namesIn((matches.at(-1)?.search as {with?: string | string[]}).with).join('\n'),
  })
  return useMemo(() => (names === '' ? [] : names.split('\n')), [names])
}

function useGroups(): readonly ModelGroup[] {
  const site = useSelector(useAppActor('site'), selectSite)
  return useMemo(() => enabledTools(site?.features).flatMap((tool) => (tool.group === 'chat' ? [tool.id] : [])), [site])
}

/** The chosen models at first: the last ones that are still offered, else the model of each of two groups. */
function firstModels(
  {models: last}: ReturnType<typeof keptOf>,
  groups: readonly ModelGroup[],
  {provisioning}: ChatActors,
  wantedModel: (group: ModelGroup) => string | undefined,
) {
  const usable = modelsOf(groups, selectLastService(provisioning.getSnapshot())?.metadata).filter(isUsable)
  const usableNames = last.filter((name) => usable.some((model) => model.name === name))
  if (usableNames.length > 0) return usableNames
  const firstOf = (group: ModelGroup) => {
    const models = usable.filter((model) => model.group === group)
    return models.find(({name}) => name === wantedModel(group)) ?? models[0]
  }
  return groups.flatMap((group) => firstOf(group)?.name ?? []).slice(0, 2)
}

function Comparison({actors}: {actors: ChatActors}) {
  const {models} = useChat()
  const {head} = useSlots()
  const names = useNames()
  const groups = useGroups()
  const {state, log, chat, services} = useAppInfo()
  const [first] = useState(() => firstModels(keptOf(state), groups, actors, models.read))
  const router = useRouter()
  const logic = useMemo(
    () =>
      createCompareLogic(actors.conversations, {
        addresses: addressesOf(router),
        showNames: (shownNames) => {
          chat.lastConversation.writeCompared(shownNames)
          showNamesIn(state, router)(shownNames)
        },
        times: createAnswerTimes(state),
        now: () => services.clock.now() * 1_000,
        log,
      }),
    [actors.conversations, chat, services, state, router, log],
  )
  const compare = useActorRef(logic, {input: {names, models: first}})
  const scrolls = useMemo(() => createColumnScrolls(state), [state])
  const {last} = keptOf(state)
  return (
    <CompareScreen
      actors={actors}
      compare={compare}
      groups={groups}
      href={comparisonHref(names)}
      lastHref={last.length === 0 ? undefined : comparisonHref(last)}
      head={head}
      scrolls={scrolls}
      draftKeyOfPage={() => router.state.location.state.draftKey}
      onBegin={(models) => keep(state, {models})}
    />
  )
}
