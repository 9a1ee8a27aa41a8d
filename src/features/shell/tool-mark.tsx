import {type Mark} from '#ui/marks/mark.ts'
import styles from './tool-mark.module.css'

/** Found by path: a tool's mark is the file with its id. */
const files = import.meta.glob<Mark>(['../../ui/marks/*.ts', '!../../ui/marks/mark.ts'], {
  eager: true,
  import: 'default',
})
const none: Mark = {hue: 240, glyph: 'M5 5h14v14H5z'}

/** The mark of a media tool. Decorative: the link around it carries the name. */
export function ToolMark({tool}: {tool: string}) {
  const {hue, glyph} = files[`../../ui/marks/${tool}.ts`] ?? none
  const ground = `linear-gradient(135deg, oklch(0.6 0.13 ${hue}), oklch(0.46 0.14 ${hue + 30}))`
  return (
    <span className={styles.mark} style={{background: ground}} aria-hidden="true">
      <svg viewBox="0 0 24 24" focusable="false">
        <path d={glyph} />
      </svg>
    </span>
  )
}
