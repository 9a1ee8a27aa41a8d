import {expect, test} from 'vitest'
import {formatFileSize, formatSizeOver} from '#domain/file-size.ts'

test.each([
  [0, 'en', '0 bytes'],
  [1, 'en', '1 byte'],
  [2, 'en', '2 bytes'],
  [999, 'en', '999 bytes'],
  [1_000, 'en', '1 kB'],
  [999_999, 'en', '1 MB'],
  [1_000_000, 'en', '1 MB'],
  [12_340_000, 'en', '12.3 MB'],
  [999_960_000, 'en', '1 GB'],
  [5_000_000_000_000, 'en', '5,000 GB'],
  [2, 'ar', '2 بايت'],
  [2, 'de', '2 Byte'],
  [2, 'el', '2 byte'],
  [2, 'es', '2 bytes'],
  [2, 'fi', '2 tavua'],
  [2, 'fr', '2 octets'],
  [2, 'it', '2 byte'],
  [2, 'ja', '2 バイト'],
  [2, 'ko', '2바이트'],
  [2, 'pl', '2 bajty'],
  [5, 'pl', '5 bajtów'],
  [2, 'pt', '2 bytes'],
  [2, 'ru', '2 байта'],
  [5, 'ru', '5 байт'],
  [2, 'sr', '2 бајта'],
  [2, 'sv', '2 byte'],
  [2, 'uk', '2 байти'],
  [5, 'uk', '5 байтів'],
  [2, 'zh-CN', '2字节'],
  [2, 'zh-TW', '2 byte'],
  [12_340_000, 'fr', '12,3 Mo'],
])('%d bytes in %s: %s', (bytes, locale, expected) =>
  // some languages have a space that does not break
  expect(formatFileSize(bytes, locale).replace(/\s/g, ' ')).toBe(expected),
)

test.each([
  [1_600, 1_000, '2 kB'],
  [1_400, 1_000, '1.4 kB'],
  [1_001, 1_000, '1.1 kB'],
  [524_289, 524_288, '524.3 kB'],
  [524_300, 524_288, '524.3 kB'],
  [600_000, 524_288, '600 kB'],
  [20_000_001, 20_000_000, '20.01 MB'],
  [20_971_521, 20_971_520, '21 MB'],
  [1_000_000, 999_999, '1 MB'],
  [999, 998, '999 bytes'],
])('%d bytes over a limit of %d are %s', (bytes, limit, expected) =>
  expect(formatSizeOver(bytes, limit, 'en')).toBe(expected),
)
