import {type MediaToolId} from './tools.ts'
import styles from './tool-list.module.css'

/** Glyph on a 24 unit grid and hue of the ground, our own drawing for each tool (design.md §5: no logos of others). */
const marks: Record<MediaToolId, {hue: number; glyph: string}> = {
  midjourney: {hue: 265, glyph: 'M4 18c4-1 6-5 8-12 2 7 4 11 8 12M4 18h16'},
  flux: {hue: 300, glyph: 'M5 7h9a4 4 0 0 1 0 8H5M9 3 5 7l4 4M9 19l-4-4'},
  nanobanana: {hue: 85, glyph: 'M6 5c0 9 5 13 13 12-2 3-12 4-15-5-1-3 0-6 2-7Z'},
  qrart: {hue: 215, glyph: 'M5 5h5v5H5zM14 5h5v5h-5zM5 14h5v5H5zM14 14h2v2h-2zM18 18h1v1h-1z'},
  headshots: {hue: 20, glyph: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4 20c1-4 4-6 8-6s7 2 8 6'},
  luma: {hue: 185, glyph: 'M12 4v3M12 17v3M4 12h3M17 12h3M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z'},
  pika: {hue: 350, glyph: 'M13 3 6 13h5l-1 8 8-11h-6z'},
  kling: {hue: 150, glyph: 'M6 4v16M18 5l-11 8M11 10l7 9'},
  veo: {hue: 240, glyph: 'M4 6l8 13 8-13M9 6l3 5 3-5'},
  sora: {hue: 225, glyph: 'M4 14c2-3 4-3 6 0s4 3 6 0 3-3 4-2M4 9c2-3 4-3 6 0s4 3 6 0 3-3 4-2'},
  pixverse: {hue: 320, glyph: 'M5 5h6v6H5zM13 13h6v6h-6zM13 5l6 6M5 13l6 6'},
  hailuo: {hue: 200, glyph: 'M12 12a2 2 0 1 1 2 2 4 4 0 1 1-4-4 6 6 0 1 1 6 8 8 8 0 0 1-12-6'},
  suno: {hue: 45, glyph: 'M5 10v4M9 6v12M13 9v6M17 4v16M21 10v4'},
}

/** The mark of a media tool. Decoration: the link that carries it has the name. */
export function ToolMark({tool}: {tool: MediaToolId}) {
  const {hue, glyph} = marks[tool]
  const ground = `linear-gradient(135deg, oklch(0.6 0.13 ${hue}), oklch(0.46 0.14 ${hue + 30}))`
  return (
    <span className={styles.mark} style={{background: ground}} aria-hidden="true">
      <svg viewBox="0 0 24 24" focusable="false">
        <path d={glyph} />
      </svg>
    </span>
  )
}
