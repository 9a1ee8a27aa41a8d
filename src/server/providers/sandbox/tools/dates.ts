const day = 86_400_000
const weekday = new Intl.DateTimeFormat('en', {weekday: 'long', timeZone: 'UTC'})
const longDate = new Intl.DateTimeFormat('en', {dateStyle: 'long', timeZone: 'UTC'})

const isoDay = (date: Date) => date.toISOString().slice(0, 10)
const describe = (date: Date) => `**${isoDay(date)}** (${weekday.format(date)}, ${longDate.format(date)})`

/** A calendar day in UTC, `today` included; `undefined` for a day that does not exist, such as 30 February. */
function readDay(text: string, now: Date): Date | undefined {
  const word = text.trim().toLowerCase()
  const shift = {today: 0, tomorrow: 1, yesterday: -1}[word]
  if (shift !== undefined) return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + shift))
  const [, year, month, date] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(word) ?? []
  if (year === undefined || month === undefined || date === undefined) return undefined
  const parsed = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)))
  return parsed.getUTCMonth() === Number(month) - 1 && parsed.getUTCDate() === Number(date) ? parsed : undefined
}

/** Months end on their last day: 31 January plus one month is the end of February. */
function addMonths(date: Date, months: number): Date {
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), Math.min(date.getUTCDate(), last)))
}

function add(date: Date, count: number, unit: string): Date | undefined {
  const moved = unit.startsWith('month')
    ? addMonths(date, count)
    : unit.startsWith('year')
      ? addMonths(date, 12 * count)
      : new Date(date.getTime() + count * (unit.startsWith('week') ? 7 : 1) * day)
  return Number.isNaN(moved.getTime()) ? undefined : moved
}

const dayPattern = '(today|tomorrow|yesterday|\\d{4}-\\d{1,2}-\\d{1,2})'
const spanPattern = '(\\d{1,6})\\s*(days?|weeks?|months?|years?)'
const ask = (pattern: string) => new RegExp(`^${pattern}\\s*\\??$`, 'i')
const between = ask(`(?:how many )?days (?:are there )?(?:between|from) ${dayPattern} (?:and|to|until) ${dayPattern}`)
const until = ask(`(?:how many )?days (?:until|till|to|since) ${dayPattern}`)
const after = ask(`(?:what (?:date )?is )?${spanPattern} (after|from|before) ${dayPattern}`)
const plus = ask(`(?:what is )?${dayPattern}\\s*([-+])\\s*${spanPattern}`)
const which = ask(
  `(?:what|which) (?:week)?day (?:of the week )?(?:is|was|will be) ${dayPattern}|what is the date(?: ${dayPattern})?`,
)
const plain = ask(`(?:weekday (?:of )?|date )?${dayPattern}`)
const unix = ask('(?:what (?:date |time )?is )?(?:unix(?: time(?:stamp)?)?|epoch) (\\d{1,13})')

/** Questions about days, answered in UTC; `undefined` when it is no such question. */
export function answerDate(question: string, now: Date): string | undefined {
  const text = question.trim()
  const pair = between.exec(text)
  if (pair) return difference(readDay(pair[1] ?? '', now), readDay(pair[2] ?? '', now))
  const single = until.exec(text)
  if (single) return difference(readDay('today', now), readDay(single[1] ?? '', now))
  const moved = after.exec(text)
  if (moved) {
    const [, count = '', unit = '', side = '', start = ''] = moved
    return shifted(readDay(start, now), Number(count) * (side.toLowerCase() === 'before' ? -1 : 1), unit)
  }
  const sum = plus.exec(text)
  if (sum) {
    const [, start = '', sign = '', count = '', unit = ''] = sum
    return shifted(readDay(start, now), Number(`${sign}${count}`), unit)
  }
  const named = which.exec(text) ?? plain.exec(text)
  if (named) {
    const date = readDay(named[1] ?? named[2] ?? 'today', now)
    return date ? `${describe(date)}, day ${dayOfYear(date)} of the year.` : noSuchDay
  }
  const stamp = unix.exec(text)?.[1]
  if (stamp === undefined) return undefined
  const date = new Date(stamp.length > 10 ? Number(stamp) : Number(stamp) * 1000)
  return `${stamp} is **${date
    .toISOString()
    .replace('T', ' ')
    .replace(/\.000Z$|Z$/, '')}** UTC.`
}

const noSuchDay = 'The calendar has no such day. Write days as YYYY-MM-DD.'
const dayOfYear = (date: Date) => Math.round((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 0)) / day)

function difference(from: Date | undefined, to: Date | undefined): string {
  if (from === undefined || to === undefined) return noSuchDay
  const days = Math.round((to.getTime() - from.getTime()) / day)
  const size = Math.abs(days)
  const weeks = size >= 14 ? ` (${Math.floor(size / 7)} weeks and ${size % 7} days)` : ''
  return `From ${isoDay(from)} to ${isoDay(to)}: **${days} ${size === 1 ? 'day' : 'days'}**${weeks}.`
}

function shifted(start: Date | undefined, count: number, unit: string): string {
  const moved = start && add(start, count, unit.toLowerCase())
  if (start === undefined || moved === undefined) return noSuchDay
  const size = Math.abs(count)
  const name = unit.toLowerCase().replace(/s$/, '')
  return `${size} ${size === 1 ? name : `${name}s`} ${count < 0 ? 'before' : 'after'} ${isoDay(start)}: ${describe(moved)}.`
}
