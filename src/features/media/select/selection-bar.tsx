import {useSelector} from '@xstate/react'
import {useEffect, useLayoutEffect, useMemo, useRef, type ComponentProps} from 'react'
import {targetsOfSeveral} from '#domain/targets-of-several.ts'
import type {SelectionActor} from '#machines/selection/selection.machine.ts'
import {
  selectChosen,
  selectDone,
  selectIsConfirming,
  selectIsDeleting,
  selectIsPacking,
  selectTaskCount,
} from '#machines/selection/selection.selectors.ts'
import {Button} from '#ui/button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {CloseIcon} from '#ui/icons.tsx'
import {DeleteIcon} from '#ui/later-icons.tsx'
import {DownloadIcon, UseInIcon} from '#ui/media-icons.tsx'
import {Menu} from '#ui/menu.tsx'
import type {MenuEntry} from '#ui/menu-entry.ts'
import {Spinner} from '#ui/spinner.tsx'
import {useText} from '#ui/text.tsx'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {useMedia} from '../media.context.ts'
import {filesOf} from '../save-file.ts'
import type {MediaCommands} from '../media-commands.ts'
import {targetEntries} from '../use-targets.tsx'
import {useRootMark} from '#ui/use-root-mark.ts'
import styles from './selection-bar.module.css'

type SelectionBarProps = {selection: SelectionActor; cards: readonly Card[]; commands: MediaCommands}

/** The commands for the chosen results; stands over the end of the list while there is a choice. */
export function SelectionBar(props: SelectionBarProps) {
  const {selection, cards, commands} = props
  const text = useText()
  const bar = useRef<HTMLDivElement>(null)
  const ids = useSelector(selection, selectChosen)
  const isDeleting = useSelector(selection, selectIsDeleting)
  const isPacking = useSelector(selection, selectIsPacking)
  const isConfirming = useSelector(selection, selectIsConfirming)
  useRootMark('selecting')
  useEscape(selection)
  useFocusBack(bar)
  const chosenCards = useMemo(() => {
    const byId = new Map(cards.map((card) => [card.id, card]))
    return (ids ?? []).flatMap((id) => byId.get(id) ?? [])
  }, [cards, ids])
  const deletable = chosenCards.filter(commands.mayRemove)
  return (
    <div
      ref={bar}
      className={styles.bar}
      role="toolbar"
      aria-label={text('common.mediaSelection')}
      data-selection-bar=""
    >
      {isDeleting || isPacking ? (
        <Progress selection={selection} isDeleting={isDeleting} />
      ) : (
        <>
          <Choice selection={selection} cards={cards} ids={ids ?? []} />
          <span className={styles.grow} />
          <Actions {...props} chosen={chosenCards} deletable={deletable} />
        </>
      )}
      <DeleteDialog isOpen={isConfirming} cards={deletable} selection={selection} titleOf={commands.title} />
    </div>
  )
}

/** How many are chosen: all, none, or no choice any more. */
function Choice({selection, cards, ids}: Pick<SelectionBarProps, 'selection' | 'cards'> & {ids: readonly string[]}) {
  const text = useText()
  const listedIds = cards.flatMap(({id}) => id ?? [])
  const isAll = listedIds.length > 0 && listedIds.every((id) => ids.includes(id))
  return (
    <>
      <IconButton
        size="sm"
        label={text('common.cancel')}
        keys="Esc"
        icon={<CloseIcon />}
        onClick={() => selection.send({type: 'selection.leave'})}
      />
      <span role="status" className={styles.count}>
        {text('common.mediaSelected', {count: ids.length})}
      </span>
      <Button
        size="sm"
        variant="ghost"
        onClick={() => selection.send(isAll ? {type: 'tasks.drop'} : {type: 'tasks.choose', ids: listedIds})}
      >
        {text(isAll ? 'common.mediaSelectNone' : 'common.mediaSelectAll')}
      </Button>
    </>
  )
}

type ActionsProps = SelectionBarProps & {chosen: readonly Card[]; deletable: readonly Card[]}

function Actions({selection, commands, chosen, deletable}: ActionsProps) {
  const text = useText()
  const {identity} = useMedia()
  const results = useMemo(
    () => chosen.flatMap((card) => filesOf(identity.id, card, commands.work(card))),
    [chosen, identity, commands],
  )
  const targets = useTargets(chosen, results, commands)
  const files = results.map(({url, name}) => ({url, name}))
  return (
    <>
      <Action
        label={text('common.mediaDownload')}
        icon={<DownloadIcon size={14} />}
        disabled={files.length === 0}
        onClick={() => selection.send({type: 'download.start', files})}
      />
      {targets.length > 0 && (
        <Menu
          label={text('common.mediaUseIn')}
          align="end"
          entries={targets}
          trigger={(trigger) => (
            <Action label={text('common.mediaUseIn')} icon={<UseInIcon size={14} />} {...trigger} />
          )}
        />
      )}
      {(chosen.length === 0 || deletable.length > 0) && (
        <Action
          label={text('common.mediaDelete')}
          icon={<DeleteIcon size={14} />}
          disabled={deletable.length === 0}
          onClick={() => selection.send({type: 'delete.ask'})}
        />
      )}
    </>
  )
}

/** A button whose words leave it where there is no room. */
function Action({label, ...props}: Omit<ComponentProps<typeof Button>, 'size' | 'children'> & {label: string}) {
  return (
    <Button size="sm" className={styles.action} aria-label={label} {...props}>
      <span>{label}</span>
    </Button>
  )
}

/** The targets that can take all of these. */
function useTargets(
  [first]: readonly Card[],
  results: ReturnType<typeof filesOf>,
  commands: MediaCommands,
): readonly MenuEntry[] {
  const text = useText()
  const {offered, chats} = useMedia()
  return useMemo(
    () =>
      first === undefined
        ? []
        : targetEntries(text, targetsOfSeveral(offered, chats, results), commands.targetName, (target) =>
            commands.goTo(first, target),
          ),
    [first, text, offered, chats, results, commands],
  )
}

/** How far it is; what is being put together can be left. */
function Progress({selection, isDeleting}: {selection: SelectionActor; isDeleting: boolean}) {
  const text = useText()
  const doneCount = useSelector(selection, selectDone)
  const count = useSelector(selection, selectTaskCount)
  const at = {done: Math.min(doneCount + 1, count), count}
  return (
    <>
      <Spinner size={14} />
      <span role="status" className={styles.count}>
        {text(isDeleting ? 'common.mediaDeletingOf' : 'common.mediaPackingOf', at)}
      </span>
      <progress className={styles.progress} max={count} value={doneCount} aria-label={text('common.mediaSelection')} />
      {!isDeleting && (
        <Button size="sm" onClick={() => selection.send({type: 'download.cancel'})}>
          {text('common.cancel')}
        </Button>
      )}
    </>
  )
}

type DeleteDialogProps = {
  isOpen: boolean
  cards: readonly Card[]
  selection: SelectionActor
  titleOf: (card: Card) => string
}

/** Asked once for all of them: what is deleted together cannot be taken back. */
function DeleteDialog({isOpen, cards, selection, titleOf}: DeleteDialogProps) {
  const text = useText()
  const startedCount = cards.filter(({isDue}) => isDue).length
  const confirm = () => {
    const tasks = cards.flatMap((card) => (card.id === undefined ? [] : [{id: card.id, title: titleOf(card)}]))
    selection.send({type: 'delete.confirm', tasks})
  }
  const notes = [
    text('common.mediaDeleteForGood'),
    ...(startedCount === 0 ? [] : [text('common.mediaDeleteStarted', {count: startedCount})]),
  ]
  return (
    <Dialog
      open={isOpen}
      title={text('common.mediaDeleteSelected', {count: cards.length})}
      description={notes.join(' ')}
      onClose={() => selection.send({type: 'delete.cancel'})}
      cancel="offered"
      actions={
        <Button variant="danger" onClick={confirm}>
          {text('common.mediaDelete')}
        </Button>
      }
    />
  )
}

/** Esc leaves what it can: first the dialog or menu over it, then a download, then the choice. */
function useEscape(selection: SelectionActor) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
      if (
        event.target instanceof Element &&
        event.target.closest('[role=dialog], [role=menu], [role=listbox]') !== null
      )
        return
      const snapshot = selection.getSnapshot()
      if (selectIsConfirming(snapshot)) return
      event.preventDefault()
      selection.send({type: selectIsPacking(snapshot) ? 'download.cancel' : 'selection.leave'})
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [selection])
}

/** The bar goes with the choice: a focus in it moves to the button that began it. */
function useFocusBack(bar: React.RefObject<HTMLDivElement | null>) {
  useLayoutEffect(() => {
    const element = bar.current
    return () => {
      if (element?.contains(document.activeElement) === true)
        document.querySelector<HTMLElement>('button[data-select]')?.focus()
    }
  }, [bar])
}
