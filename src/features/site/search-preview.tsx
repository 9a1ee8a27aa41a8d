import {useId} from 'react'
import {previewOf} from '#domain/search-preview.ts'
import {siteNameOf} from '#domain/site-name.ts'
import {useText} from '#ui/text.tsx'
import styles from './search-preview.module.css'

type SearchPreviewProps = {title: string; origin: string; description: string}

/** The site as a search engine is likely to show it (design/screens §11): title, address, the first words. */
export function SearchPreview({title, origin, description}: SearchPreviewProps) {
  const text = useText()
  const id = useId()
  const snippet = previewOf(description)
  return (
    <figure aria-labelledby={id}>
      <figcaption id={id} className={styles.caption}>
        {text('site.preview')}
      </figcaption>
      {/* written as its title is; an isolated address does not count for that */}
      <div dir="auto" className={styles.result}>
        <p className={styles.address}>
          <bdi dir="ltr">{origin}</bdi>
        </p>
        <p className={styles.title}>{siteNameOf(title)}</p>
        {snippet === '' ? (
          <p dir="auto" className={styles.empty}>
            {text('site.previewEmpty')}
          </p>
        ) : (
          <p className={styles.words}>{snippet}</p>
        )}
      </div>
    </figure>
  )
}
