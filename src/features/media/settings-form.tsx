import {useId, useState, type ReactNode} from 'react'
import {Button} from '#ui/button.tsx'
import {ChevronDownIcon, RetryIcon} from '#ui/icons.tsx'
import {SlidersIcon} from '#ui/media-icons.tsx'
import {useText, type Text} from '#ui/text.tsx'
import type {FormFault} from '#contract/media/media-tool.ts'
import {choicesOf, shownFields, type AnyField, type AnyForm, type AnyScreen} from './any-tool.ts'
import {fieldRows} from './fields/field-rows.ts'
import {FieldView, type FieldViewProps} from './fields/field-view.tsx'
import {isChanged} from './settings-values.ts'
import styles from './settings-form.module.css'
import {choiceText, type ToolText} from './use-tool-text.ts'

export type SettingsFormProps = Pick<FieldViewProps, 'files' | 'writer' | 'placeholder' | 'onChange'> & {
  screen: AnyScreen
  form: AnyForm
  defaults: AnyForm
  toolText: ToolText
  /** Fields without which the form as it is now cannot be sent. */
  needed: readonly string[]
  /** The faults of the form, once they are to be shown. */
  faults: readonly FormFault[]
  /** Fields that another one has set back to their default. */
  dropped: readonly string[]
  onReset: () => void
  onSubmit: () => void
  children: ReactNode
}

/** The settings of a tool: its fields as values (docs/decisions/0010), advanced ones folded away, and the foot. */
export function SettingsForm(props: SettingsFormProps) {
  const {screen, form, defaults, toolText, needed, faults, dropped, onReset, onSubmit, children, ...rest} = props
  const text = useText()
  const id = useId()
  const main = shownFields(screen, form, 'main')
  const advancedFields = shownFields(screen, form, 'advanced')
  const foot = shownFields(screen, form, 'foot')
  const isAdvancedFaulty = advancedFields.some(({key}) => faults.some(({field}) => field === key))
  const [wantsAdvanced, setWantsAdvanced] = useState(false)
  const hasChanged = (fields: readonly AnyField[]) => fields.some((field) => isChanged(field, form, defaults))
  const view = (field: AnyField) => {
    const fault = faults.find((each) => each.field === field.key)
    return (
      <FieldView
        key={field.key}
        {...rest}
        id={`${id}-${field.key}`}
        field={field}
        form={form}
        defaults={defaults}
        toolText={toolText}
        isNeeded={needed.includes(field.key)}
        error={fault && toolText(fault.message, fault.values)}
        note={dropped.includes(field.key) ? droppedNote(field, form, toolText, text) : undefined}
      />
    )
  }
  const rows = (fields: readonly AnyField[]) =>
    fieldRows(fields, form).map((row) => (
      <div key={row[0]?.key} className={styles.row} data-two={row.length === 2 || undefined}>
        {row.map(view)}
      </div>
    ))
  return (
    <form
      className={styles.form}
      aria-label={text('common.mediaSettings')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <div className={styles.fields}>
        {rows(main)}
        {advancedFields.length > 0 && (
          <Advanced
            isOpen={wantsAdvanced || isAdvancedFaulty}
            isChanged={hasChanged(advancedFields)}
            onToggle={setWantsAdvanced}
          >
            {rows(advancedFields)}
          </Advanced>
        )}
        <span className={styles.reset}>
          <Button size="sm" variant="ghost" icon={<RetryIcon size={14} />} onClick={onReset}>
            {text('common.mediaReset')}
            {hasChanged(screen.fields) && <ChangedMark />}
          </Button>
        </span>
      </div>
      <div className={styles.foot}>
        {foot.length > 0 && <div className={styles.extra}>{rows(foot)}</div>}
        {children}
      </div>
    </form>
  )
}

/** Says of a field that another one has set back which value it has now. */
function droppedNote(field: AnyField, form: AnyForm, toolText: ToolText, text: Text): string {
  const choices = 'choices' in field ? choicesOf(field, form) : []
  const choice = choices.find(({value}) => value === form[field.key])
  return choice === undefined
    ? text('common.mediaDropped')
    : text('common.mediaDroppedTo', {value: choiceText(toolText, choice)})
}

/** A dot beside what is no longer as it was made. */
function ChangedMark() {
  const text = useText()
  return (
    <>
      <span className={styles.changed} />
      <span className="visually-hidden">{text('common.mediaChanged')}</span>
    </>
  )
}

type AdvancedProps = {isOpen: boolean; isChanged: boolean; onToggle: (isOpen: boolean) => void; children: ReactNode}

/** The settings that few need, folded away. */
function Advanced({isOpen, isChanged, onToggle, children}: AdvancedProps) {
  const text = useText()
  return (
    <details className={styles.advanced} open={isOpen} onToggle={(event) => onToggle(event.currentTarget.open)}>
      <summary className={styles.summary}>
        <SlidersIcon />
        {text('common.mediaAdvanced')}
        {isChanged && <ChangedMark />}
        <ChevronDownIcon />
      </summary>
      <div>{children}</div>
    </details>
  )
}
