import {Drawer} from '#ui/drawer.tsx'
import {CheckIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import {useCompareEntry} from './compare/use-compare-entry.ts'
import {shownLabel} from './model-catalogue.ts'
import {noteOf} from './model-lines.ts'
import {Capabilities, sectionsOf, type ModelChoiceProps} from './model-sections.tsx'
import styles from './model-sheet.module.css'
import {useThreadWords} from './use-thread-words.ts'

/** The models as a sheet, on phones. */
export function ModelSheet({models, chosen, onChoose, open, onClose, isForAnswer}: ModelChoiceProps) {
  useThreadWords()
  const text = useText()
  const several = useCompareEntry(models, isForAnswer)
  return (
    <Drawer side="bottom" open={open} onClose={onClose} title={text('chat.model')}>
      {sectionsOf(models, text).map((section) => (
        <div key={section.id} role="group" aria-label={section.label ?? text('chat.model')}>
          {section.label !== undefined && <p className={styles.heading}>{section.label}</p>}
          {section.models.map((model) => (
            <button
              key={model.name}
              type="button"
              className={styles.option}
              aria-pressed={model.name === chosen?.name}
              disabled={model.disabled !== undefined}
              onClick={() => onChoose(model)}
            >
              <span className={styles.optionText}>
                <bdi className={styles.optionLabel}>{shownLabel(model, text)}</bdi>
                <span className={styles.optionNote}>{noteOf(model, text)}</span>
              </span>
              <span className={styles.optionEnd}>
                <Capabilities model={model} />
                {model.name === chosen?.name && <CheckIcon size={14} />}
              </span>
            </button>
          ))}
        </div>
      ))}
      {several !== undefined && (
        <button type="button" className={styles.option} onClick={several.onSelect}>
          <span className={styles.optionText}>
            <span className={styles.optionLabel}>{several.label}</span>
          </span>
        </button>
      )}
    </Drawer>
  )
}
