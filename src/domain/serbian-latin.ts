/** The Latin letters of the Cyrillic ones of Serbian. */
const letters: Record<string, string> = {
  ...{а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', ђ: 'đ', е: 'e', ж: 'ž', з: 'z', и: 'i', ј: 'j', к: 'k', л: 'l'},
  ...{љ: 'lj', м: 'm', н: 'n', њ: 'nj', о: 'o', п: 'p', р: 'r', с: 's', т: 't', ћ: 'ć', у: 'u', ф: 'f', х: 'h'},
  ...{ц: 'c', ч: 'č', џ: 'dž', ш: 'š'},
}

/** Serbian text in Latin letters, in small ones: many users type these. `đ` is often typed as `dj`. */
export function serbianLatin(text: string): string {
  const latin = text.toLowerCase().replace(/[а-џ]/g, (letter) => letters[letter] ?? letter)
  return latin.includes('đ') ? `${latin} ${latin.replaceAll('đ', 'dj')}` : latin
}
