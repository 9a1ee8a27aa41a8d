import type {ReactNode} from 'react'
import {FileIcon} from '#ui/later-icons.tsx'
import {classNames} from '#ui/class-names.ts'
import styles from './attachment.module.css'
import {newTab} from './markdown/new-tab.ts'

type AttachmentChipProps = {
  name: string
  note?: ReactNode
  problem?: boolean
  /** How much of it is uploaded, from 0 to 1; absent when it is not on its way. */
  share?: number | undefined
  /** Address of one of our images, shown instead of the file's icon. */
  thumbnail?: string | undefined
  /** Address of the file; must be safe already. */
  href?: string | undefined
  /** Buttons at the end. */
  children?: ReactNode
}

/** The end of a long name that stays: letters before its dot, and the rest. ASCII, as other scripts' letters join. */
const nameEnd = /[\w-]{0,4}\.\w{1,6}$/

type FileNameProps = {name: string; isTight: boolean}

/** The name of a file, its middle left out where the whole has no room. `isTight`: buttons leave less on a phone. */
function FileName({name, isTight}: FileNameProps) {
  const end = name.length > (isTight ? 12 : 20) ? (nameEnd.exec(name)?.[0] ?? '') : ''
  if (end === '') return <bdi className={styles.name}>{name}</bdi>
  return (
    <>
      <bdi className={classNames(styles.name, styles.parts)} title={name} aria-hidden="true">
        <span>{name.slice(0, -end.length)}</span>
        <span>{end}</span>
      </bdi>
      <span className="visually-hidden">{name}</span>
    </>
  )
}

/** A file as a chip: icon, name, one line of note. */
export function AttachmentChip({name, note, problem = false, share, thumbnail, href, children}: AttachmentChipProps) {
  const label = (
    <span className={styles.text}>
      <FileName name={name} isTight={problem} />
      {note !== undefined && <small className={styles.note}>{note}</small>}
    </span>
  )
  return (
    <span className={classNames(styles.chip, children !== undefined && styles.withButtons, problem && styles.problem)}>
      <span className={styles.icon}>
        {thumbnail === undefined ? <FileIcon /> : <img className={styles.thumbnail} src={thumbnail} alt="" />}
      </span>
      {href === undefined ? (
        label
      ) : (
        <a href={href} {...newTab}>
          {label}
        </a>
      )}
      {children}
      {share !== undefined && <span className={styles.share} style={{inlineSize: `${share * 100}%`}} />}
    </span>
  )
}
