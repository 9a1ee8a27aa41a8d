import type {ReadMessage} from '#domain/token-estimate.ts'
import {useLanguage} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import {reasonOf} from '../model-note.ts'
import {labelBeside, type ComparedModel} from './compared-models.ts'
import styles from './compare.module.css'
import {leftOutWords, type LeftOut} from './left-out.ts'

/** A column that can be asked, or a model that is chosen; `read`: what comes before the question. */
export type Target = {name: string; model: ComparedModel; read: readonly ReadMessage[]}

type UnaskedProps = Record<'targets' | 'unusable', readonly Target[]> & {
  leftOut: readonly LeftOut[]
  /** How many conversations are not there yet, or could not be loaded. */
  unloaded: number
}

/** Which columns the next question does not go to, and why. `leftOut`: they take none of its files. */
export function Unasked({targets, leftOut, unusable, unloaded}: UnaskedProps) {
  const text = useText()
  const {locale} = useLanguage()
  const models = targets.map(({model}) => model)
  const notes = [
    ...leftOut.map(({name, model, refusal}) => ({
      name,
      note: leftOutWords(text, locale, refusal, labelBeside(model, models, text)),
    })),
    ...unusable.map(({name, model}) => ({
      name,
      note: text('compare.said', {
        model: labelBeside(model, models, text),
        state: reasonOf(model.disabled, text) ?? '',
      }),
    })),
    ...(unloaded === 0 ? [] : [{name: 'unloaded', note: text('compare.notAsked', {count: unloaded})}]),
  ]
  return notes.map(({name, note}) => (
    <p key={name} role="status" className={styles.warning}>
      {note}
    </p>
  ))
}
