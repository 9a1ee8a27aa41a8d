import {useActorRef, useSelector} from '@xstate/react'
import {useCallback, useMemo, useRef, useState} from 'react'
import type {ModelGroup} from '#contract/models.ts'
import {namedFiles, userContent, type QuestionContent} from '#domain/conversation.ts'
import {isLostFile} from '#domain/lost-file.ts'
import {mostTokensRead} from '#domain/token-estimate.ts'
import {
  fewestColumns,
  isRunning,
  selectCanStopAll,
  selectColumns,
  selectIsAsked,
  selectModels,
  type CompareActor,
} from '#machines/compare/compare.machine.ts'
import type {Column, CompareEvent} from '#machines/compare/compare.types.ts'
import {selectMessages} from '#machines/conversation/conversation.selectors.ts'
import type {ConversationListSnapshot} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectConversation, selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'
import {selectLastService} from '#machines/provisioning/provisioning.selectors.ts'
import {readingMachine} from '#machines/reading/reading.machine.ts'
import {ErrorState} from '#ui/error-state.tsx'
import {useLanguage} from '#ui/language.tsx'
import {Problem} from '#ui/problem.tsx'
import {useText} from '#ui/text.tsx'
import {coarsePointer, useMediaQuery} from '#ui/use-media-query.ts'
import {isQuoted} from '../attachment.ts'
import {useChat, type ChatActors} from '../chat.context.tsx'
import {Composer, type ComposerHandle} from '../composer.tsx'
import {groupOfModel, shownLabel} from '../model-catalogue.ts'
import {labelAmong, modelLabel} from '../model-label.ts'
import {refusalOfAll, takesAll} from '../model-refusal.ts'
import {carriedFile} from '../unread-files.ts'
import {CompareBar} from './compare-bar.tsx'
import {CompareColumns} from './compare-columns.tsx'
import {compareDraft} from './compare-entry.ts'
import {ChosenModels} from './chosen-models.tsx'
import {anyOf, isUsable, modelsOf, withCost} from './compared-models.ts'
import styles from './compare.module.css'
import {lastAsked} from './last-question.ts'
import type {LeftOut} from './left-out.ts'
import {TogetherText} from './total-cost.tsx'
import {Unasked, type Target} from './unasked.tsx'
import type {ColumnScrolls} from './use-column-scroll.ts'

type CompareScreenProps = {
  actors: ChatActors
  compare: CompareActor
  /** The groups that the site offers. */
  groups: readonly ModelGroup[]
  /** Address of the comparison on screen, and of the last one. */
  href: string
  lastHref: string | undefined
  /** The head of the page, where the bar goes on a low screen. */
  head: Element | null
  scrolls: ColumnScrolls
  /** Key of the draft that the page was opened with. */
  draftKeyOfPage: () => string | undefined
  onBegin: (models: string[]) => void
}

/** One question to several models: the choice of them, then their answers side by side. */
export function CompareScreen(props: CompareScreenProps) {
  const {actors, compare, groups, href, lastHref, head, scrolls, draftKeyOfPage, onBegin} = props
  const text = useText()
  const composer = useRef<ComposerHandle>(null)
  const reading = useActorRef(readingMachine)
  const isAsked = useSelector(compare, selectIsAsked)
  const isBroken = useSelector(compare, (snapshot) => snapshot.matches('broken'))
  const canStop = useSelector(compare, selectCanStopAll)
  const columns = useSelector(compare, selectColumns)
  const models = useComparedModels(actors, compare, groups)
  const focusComposer = useCallback(() => composer.current?.focus(), [])
  const stop = (name?: string) => {
    compare.send(name === undefined ? {type: 'columns.stop'} : {type: 'column.stop', name})
    // the button that was pressed goes with its focus; on touch the field would bring up the keyboard
    if (!matchMedia(coarsePointer).matches) focusComposer()
  }
  return (
    <div className={styles.screen}>
      <CompareBar {...{compare, reading, lastHref, head}} onStop={() => stop()} />
      {isBroken && (
        <ErrorState title={text('compare.broken')} onRetry={() => compare.send({type: 'comparison.resume'})} />
      )}
      {columns.some(({phase}) => phase === 'unread') && (
        <div className={styles.problem}>
          <Problem onRetry={() => actors.conversations.send({type: 'conversations.refresh'})}>
            {text('chat.listFailed')}
          </Problem>
        </div>
      )}
      {isAsked ? (
        <CompareColumns
          // another comparison of this page begins anew
          key={columns.map(({name}) => name).join('\n')}
          actors={actors}
          compare={compare}
          reading={reading}
          columns={columns}
          labels={models.labels}
          href={href}
          scrolls={scrolls}
          focusField={focusComposer}
          onStop={stop}
          onLost={(draftText) => composer.current?.insert(draftText)}
        />
      ) : (
        <p className={styles.help}>{text('compare.help')}</p>
      )}
      <Asking
        key={String(isAsked)}
        {...{actors, compare, models, composer, isAsked, columns, canStop, draftKeyOfPage, onBegin}}
      />
    </div>
  )
}

/** The model that each column asks, by name. */
const modelOf = (list: ConversationListSnapshot, name: string) =>
  selectConversation(list, name)?.getSnapshot().context.model ?? selectItem(list, name)?.model ?? ''

/** Models to choose from, and those of the columns. */
function useComparedModels(actors: ChatActors, compare: CompareActor, groups: readonly ModelGroup[]) {
  const text = useText()
  const metadata = useSelector(actors.provisioning, selectLastService)?.metadata
  const columns = useSelector(compare, selectColumns)
  const names = useSelector(actors.conversations, (list) => columns.map(({name}) => modelOf(list, name)).join('\n'))
  return useMemo(() => {
    const offeredModels = modelsOf(groups, metadata)
    const servedModels = metadata?.models ?? []
    const ofColumns = (names === '' ? [] : names.split('\n')).map((name) =>
      offeredModels.find((model) => model.name === name),
    )
    const namedModels = names.split('\n').map((name, index) => {
      const model = ofColumns[index]
      const group = model?.group ?? groupOfModel(name, servedModels)
      // its conversation is not read yet, or deleted
      if (name === '') return {name, label: text('chat.model'), group}
      return {name, label: model === undefined ? modelLabel(name, servedModels) : shownLabel(model, text), group}
    })
    const labels = namedModels.map((model) => labelAmong(model, namedModels))
    return {offered: offeredModels, ofColumns, labels}
  }, [groups, metadata, names, text])
}

type AskingProps = Pick<CompareScreenProps, 'actors' | 'compare' | 'draftKeyOfPage' | 'onBegin'> & {
  models: ReturnType<typeof useComparedModels>
  composer: React.RefObject<ComposerHandle | null>
  isAsked: boolean
  columns: readonly Column[]
  canStop: boolean
}

/** The message field for all of them, with the price before it is sent. */
function Asking(props: AskingProps) {
  const {actors, compare, models, composer, isAsked, columns, canStop, draftKeyOfPage, onBegin} = props
  const text = useText()
  const {locale} = useLanguage()
  const {drafts, files: draftFiles, newKey, now} = useChat()
  const isTouch = useMediaQuery(coarsePointer)
  const [draftKey] = useState(() => (isAsked ? undefined : draftKeyOfPage()) ?? compareDraft)
  const [draft, setDraft] = useState(() => drafts.read(draftKey))
  const chosenNames = useSelector(compare, selectModels)
  const targets = isAsked
    ? columnTargets(actors.conversations.getSnapshot(), columns, models)
    : chosenTargets(chosenNames, models)
  const label = new Intl.ListFormat(locale).format(targets.map(({model}) => shownLabel(model, text)))
  const anyModel = anyOf(targets.length === 0 ? models.offered : targets.map(({model}) => model), label)
  const references = draft?.references.filter((each) => !isLostFile(each)) ?? []
  const files = references.filter(({text: pasted}) => !isQuoted({pasted}, anyModel))
  const quotedTexts = references.filter((each) => !files.includes(each)).map(({text: pasted}) => pasted)
  const carriedFiles = files.map(carriedFile)
  const usable = targets.filter(({model}) => isUsable(model))
  const takers = usable.filter(({model}) => takesAll(carriedFiles, model))
  const leftOut = usable.flatMap(({name, model}): LeftOut[] => {
    const refusal = refusalOfAll(carriedFiles, model)
    return refusal === undefined ? [] : [{name, model, refusal}]
  })
  const least = isAsked ? 1 : fewestColumns

  const send = (content: QuestionContent) => {
    const names = takers.map(({name}) => name)
    const event = askOf(names, {...content, at: now()}, isAsked, newKey)
    if (!compare.getSnapshot().can(event)) return false
    drafts.close(draftKey)
    if (!isAsked) onBegin(names)
    compare.send(event)
    return true
  }
  const question = {
    role: 'user' as const,
    content: userContent({question: [draft?.text, ...quotedTexts].join('\n'), ...namedFiles(files)}),
  }
  return (
    <>
      {!isAsked && (
        <ChosenModels
          compare={compare}
          models={models.offered}
          asked={takers.map(({model}) => model)}
          leftOut={leftOut}
        />
      )}
      <div className={styles.dock}>
        {isAsked && (
          <Unasked
            {...{targets, leftOut}}
            unusable={targets.filter(({model}) => !isUsable(model))}
            unloaded={question.content.length === 0 ? 0 : columns.filter(isUnloaded).length}
          />
        )}
        <Composer
          ref={composer}
          busy={columns.some(isRunning)}
          canStop={canStop}
          canSend={takers.length >= least}
          isFirst={!isAsked}
          autoFocus={!isTouch}
          model={anyModel}
          models={none}
          draftKey={draftKey}
          draft={draft}
          files={draftFiles}
          onDraft={(next) => {
            setDraft(next)
            drafts.write(draftKey, next)
          }}
          onSend={send}
          onStop={() => compare.send({type: 'columns.stop'})}
          onEditLast={() => {
            const question = lastAsked(actors.conversations.getSnapshot(), columns)
            if (question !== '') composer.current?.insert(question)
          }}
          onChooseModel={() => undefined}
        />
        <TogetherText
          answers={takers.map(({model, read}) => ({
            price: model.cost,
            tokens: mostTokensRead([...read, question], model.longestText),
          }))}
        />
      </div>
    </>
  )
}

const none: never[] = []

/** The question to these columns, or to these models in columns of their own. */
const askOf = (
  names: readonly string[],
  ask: QuestionContent & {at: number},
  isAsked: boolean,
  newKey: () => string,
): CompareEvent =>
  isAsked
    ? {type: 'question.ask', ...ask, asks: names.map((name) => ({name, key: newKey()}))}
    : {type: 'comparison.begin', ...ask, columns: names.map((model) => ({name: newKey(), model, key: newKey()}))}

/** The models that are chosen; nothing came before their question. */
const chosenTargets = (
  names: readonly string[],
  {offered}: Pick<ReturnType<typeof useComparedModels>, 'offered'>,
): Target[] =>
  names.flatMap((name) => {
    const model = offered.find((each) => each.name === name)
    return model === undefined ? [] : [{name, model, read: []}]
  })

const isUnloaded = ({phase}: Column) => phase === 'opening' || phase === 'unread'

/** The columns that are there, with what their models read again before the next question. */
function columnTargets(
  list: ConversationListSnapshot,
  columns: readonly Column[],
  {ofColumns}: Pick<ReturnType<typeof useComparedModels>, 'ofColumns'>,
): Target[] {
  return columns.flatMap(({name, phase}, index): Target[] => {
    const actor = selectConversation(list, name)
    if (phase === 'gone' || actor === undefined) return []
    const {model} = actor.getSnapshot().context
    const columnModel =
      ofColumns[index] ?? withCost({...anyOf([], modelLabel(model, [])), name: model, takesFiles: true}, undefined)
    return [{name, model: columnModel, read: selectMessages(actor.getSnapshot())}]
  })
}
