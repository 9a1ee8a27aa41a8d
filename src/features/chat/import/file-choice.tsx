import {useRef, useState} from 'react'
import type {ImportFileFault} from '#domain/import-file.ts'
import {Button} from '#ui/button.tsx'
import {classNames} from '#ui/class-names.ts'
import {Problem} from '#ui/problem.tsx'
import {useText, type MessageId} from '#ui/text.tsx'
import styles from './import.module.css'

const faultTexts: Record<ImportFileFault, MessageId> = {
  unknown: 'index.settingImportUnknown',
  newer: 'index.settingImportNewer',
  notJson: 'index.settingImportDamaged',
  notText: 'index.settingImportNotText',
  tooLarge: 'index.settingImportTooLarge',
  damaged: 'index.settingImportDamaged',
  locked: 'index.settingImportLocked',
}

type FileChoiceProps = {
  /** The file that could not be read. */
  name: string
  fault: ImportFileFault | undefined
  onFile: (file: File) => void
}

/** The area where a file is chosen or dropped. */
export function FileChoice({name, fault, onFile}: FileChoiceProps) {
  const text = useText()
  const picker = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  return (
    <>
      <p className={styles.help}>{text('index.settingImportHelp')}</p>
      <div
        className={classNames(styles.drop, isOver && styles.over)}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          const [file] = event.dataTransfer.files
          if (file !== undefined) onFile(file)
        }}
      >
        <Button data-first-focus onClick={() => picker.current?.click()}>
          {text('index.settingImportChoose')}
        </Button>
        <p className={styles.dropHelp}>{text('index.settingImportDrop')}</p>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".json,.zip,application/json,application/zip"
          aria-label={text('index.settingImportChoose')}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? []
            if (file !== undefined) onFile(file)
            event.currentTarget.value = ''
          }}
        />
      </div>
      {fault !== undefined && (
        <Problem>
          <bdi>{name}</bdi>: {text(faultTexts[fault], {most: 256})}
        </Problem>
      )}
    </>
  )
}
