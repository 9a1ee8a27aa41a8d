import {Fragment, useMemo} from 'react'
import {CheckIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import {Tooltip} from '#ui/tooltip.tsx'
import {usedAmong, type OfferedAction} from '../result-actions.ts'
import {useCards} from '../use-cards.ts'
import {worksOn} from '../requests-of-results.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import type {CardCommands, ShortActions} from './card-commands.ts'
import styles from './card-rows.module.css'

type ActionRowProps = {card: Card; index: number; commands: CardCommands}

/** The actions of a result that stand on its card under a few letters, those that were used with a tick. */
export function ActionRow({card, index, commands}: ActionRowProps) {
  const groups = useMemo(() => commands.shortActions(card, index), [commands, card, index])
  return groups.length === 0 ? null : (
    <ShortActionRow groups={groups} onAct={(action) => commands.act(card, index, action)} />
  )
}

type ShortActionRowProps = {groups: readonly ShortActions[]; onAct: (offered: OfferedAction) => void}

function ShortActionRow({groups, onAct}: ShortActionRowProps) {
  const text = useText()
  const cards = useCards()
  const usedActions = useMemo(() => {
    const offers = groups.flatMap(({actions}) => actions.map(({offered}) => offered))
    return usedAmong(offers, worksOn(cards))
  }, [groups, cards])
  return (
    <div className={styles.row} role="group" aria-label={text('common.mediaActions')}>
      {groups.map(({label, actions}, position) => (
        <Fragment key={label}>
          {position > 0 && <span className={styles.gap} />}
          {actions.map(({short, name, price, offered}) => {
            const isUsed = usedActions.has(offered)
            const words = [`${label}: ${name}`, ...(isUsed ? [text('common.mediaUsedBefore')] : []), ...price].join(
              ' · ',
            )
            return (
              <Tooltip key={short} text={words}>
                <button
                  type="button"
                  className={styles.chip}
                  aria-label={words}
                  data-used={isUsed || undefined}
                  onClick={() => onAct(offered)}
                >
                  <bdi dir="ltr">{short}</bdi>
                  {isUsed && <CheckIcon size={14} />}
                </button>
              </Tooltip>
            )
          })}
        </Fragment>
      ))}
    </div>
  )
}

type ChoiceRowProps = {
  count: number
  chosen: number | undefined
  onChoose: (index: number | undefined) => void
}

/** Chooses one of several results: what the card does is done with that one, and with all of them while none is. */
export function ChoiceRow({count, chosen, onChoose}: ChoiceRowProps) {
  const text = useText()
  return (
    <div className={styles.row} role="group" aria-label={text('common.mediaChooseOne')}>
      {Array.from({length: count}, (_, index) => (
        <button
          key={index}
          type="button"
          className={styles.chip}
          aria-pressed={chosen === index}
          aria-label={text('common.mediaResultNumber', {number: index + 1})}
          onClick={() => onChoose(chosen === index ? undefined : index)}
        >
          {index + 1}
        </button>
      ))}
    </div>
  )
}
