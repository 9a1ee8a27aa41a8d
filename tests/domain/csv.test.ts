import {expect, test} from 'vitest'
import {csvField, csvLine} from '#domain/csv.ts'

test.each([
  ['foo', 'foo'],
  ['', ''],
  ['a,b', '"a,b"'],
  ['say "a"', '"say ""a"""'],
  ['a\nb', '"a\nb"'],
  ['-5', '-5'],
  ['+1,000.5%', '"+1,000.5%"'],
  ['-', '-'],
  ['-1.5e3', '-1.5e3'],
  ['+2E-10', '+2E-10'],
  ['-e5', `"'-e5"`],
  ['+1e5+A1', `"'+1e5+A1"`],
  ['=1+1', `"'=1+1"`],
  ['-1+cmd', `"'-1+cmd"`],
  ['  @foo', `"'  @foo"`],
  ['＝1', `"'＝1"`],
  ['\tfoo', `"'\tfoo"`],
])('%j is the field %j', (text, field) => expect(csvField(text)).toBe(field))

test('a line has an end of its own', () => expect(csvLine(['a', 'b,c'])).toBe('a,"b,c"\r\n'))
