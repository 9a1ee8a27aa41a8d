import {filesConfig} from '#contract/files.ts'
import {parseJson} from '#domain/parse-json.ts'

/** The largest file that the platform takes, in bytes, where `<script id="config">` of the page says so. */
export function largestFileOf(page: Document): number | undefined {
  const {data} = filesConfig.safeParse(parseJson(page.getElementById('config')?.textContent ?? ''))
  return data?.largestFile ?? undefined
}
