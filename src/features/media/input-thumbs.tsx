import {useState} from 'react'
import {textsOf} from './fields/field-props.ts'
import {safeUrl} from './media-url.ts'
import type {AnyForm, AnyScreen} from './any-tool.ts'
import type {ToolText} from './use-tool-text.ts'
import styles from './input-thumbs.module.css'

/** An image that went into a request, and the field it stood in. */
export type InputImage = {url: string; label: string}

/** The images of a request, each once, by the tool's file fields. `form`: the settings that ask for it again. */
export function inputImages(screen: AnyScreen, form: AnyForm, toolText: ToolText): InputImage[] {
  const images = screen.fields.flatMap((field) =>
    field.kind === 'files' && field.medium === 'image' && field.showIf?.(form) !== false
      ? textsOf(form[field.key]).flatMap((address) => {
          const url = safeUrl(address)
          return url === undefined ? [] : [{url, label: toolText(field.label)}]
        })
      : [],
  )
  return images.filter(({url}, position) => images.findIndex((each) => each.url === url) === position)
}

/** They show as small images in one line (contract/media §2.13). */
export function InputThumbs({images}: {images: readonly InputImage[]}) {
  return images.length === 0 ? null : (
    <ul className={styles.inputs}>
      {images.map(({url, label}) => (
        <Thumb key={url} url={url} label={label} />
      ))}
    </ul>
  )
}

/** One input image. A file that does not load, as a deleted one, leaves its room empty: nothing moves. */
function Thumb({url, label}: InputImage) {
  const [isBroken, setBroken] = useState(false)
  return (
    <li data-broken={isBroken || undefined}>
      {!isBroken && (
        <img
          src={url}
          alt={label}
          title={label}
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setBroken(true)}
        />
      )}
    </li>
  )
}
