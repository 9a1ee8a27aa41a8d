import {describe, expect, test} from 'vitest'
import {codeOfStatus, errorKinds, errorTable, statusOfCode} from '#domain/error-kinds.ts'
import {ApiError} from '#api/api-error.ts'
import {endsSession, errorTextId, failureText, lostContact, toFailure} from '#domain/failure.ts'

describe('every code', () => {
  const codes = Object.keys(errorTable)

  test('is one of the eleven kinds of the specification or a refusal', () => {
    expect(errorKinds).toEqual([
      'duplication',
      'busy',
      'api_error',
      'bad_request',
      'used_up',
      'unknown',
      'canceled',
      'timeout',
      'content_too_large',
      'too_many_requests',
      'not_applied',
    ])
    expect(codes).toEqual([...errorKinds, 'forbidden', 'payment_required', 'no_code'])
  })

  test('has its sentence; one that nobody knows is shown as unknown', () => {
    expect(codes.map((code) => errorTextId({code, detail: 'foo'}))).toEqual(codes.map((code) => `api.${code}`))
    expect(errorTextId({code: 'token_mismatched', detail: 'foo'})).toBe('api.unknown')
    expect(errorTextId({code: 'toString', detail: 'foo'})).toBe('api.unknown')
  })

  test('has its status (contract/errors §2)', () => {
    expect(
      Object.fromEntries([...codes, 'token_mismatched', 'toString'].map((code) => [code, statusOfCode(code)])),
    ).toEqual({
      bad_request: 400,
      not_applied: 400,
      no_code: 400,
      payment_required: 402,
      forbidden: 403,
      used_up: 403,
      duplication: 409,
      canceled: 409,
      content_too_large: 413,
      too_many_requests: 429,
      busy: 500,
      api_error: 500,
      unknown: 500,
      token_mismatched: 500,
      toString: 500,
      timeout: 504,
    })
  })
})

describe('toFailure', () => {
  test.each<[string, unknown, unknown]>([
    [
      'body of the AI host',
      {error: {code: 'used_up', message: 'foo'}, trace_id: 't'},
      {code: 'used_up', detail: 'foo', traceId: 't'},
    ],
    [
      'body with status',
      {status: 403, error: {code: 'used_up', message: 'foo'}},
      {code: 'used_up', detail: 'foo', status: 403},
    ],
    ['no message', {status: 500, error: {code: 'busy'}}, {code: 'busy', detail: 'An error occurred', status: 500}],
    ['no code', {status: 500, error: {message: 'foo'}}, {code: 'api_error', detail: 'foo', status: 500}],
    ['numeric code', {error: {code: 42, message: 'foo'}}, {code: '42', detail: 'foo'}],
    ['error as text', {error: 'foo'}, {code: 'api_error', detail: 'foo'}],
    [
      'management body',
      {code: 'bad_request', detail: 'foo', field: 'title'},
      {code: 'bad_request', detail: 'foo', field: 'title'},
    ],
    [
      'field of the AI host',
      {error: {code: 'bad_request', message: 'foo', field: 'messages.0.foo'}, success: false},
      {code: 'bad_request', detail: 'foo', field: 'messages.0.foo'},
    ],
    [
      'rejected response',
      {status: 429, data: {}},
      {code: 'too_many_requests', detail: 'An error occurred', status: 429},
    ],
    [
      'rejected response with text',
      {status: 502, data: '<html>'},
      {code: 'busy', detail: 'An error occurred', status: 502},
    ],
    ['a failure', {code: 'foo', detail: 'bar', lost: true}, {code: 'foo', detail: 'bar', lost: true}],
    ['abort', Object.assign(new Error('foo'), {name: 'AbortError'}), {code: 'canceled', detail: 'foo'}],
    ['deadline', Object.assign(new Error('foo'), {name: 'TimeoutError'}), {code: 'timeout', detail: 'foo', lost: true}],
    ['network', new TypeError('fetch failed'), {code: 'unknown', detail: 'fetch failed', lost: true}],
    ['a bug', new TypeError('x is undefined'), {code: 'unknown', detail: 'x is undefined'}],
    ['plain text', 'no token', {code: 'unknown', detail: 'no token'}],
    ['empty text', '', {code: 'unknown', detail: 'An error occurred'}],
    ['empty error', new Error(''), {code: 'unknown', detail: 'An error occurred'}],
    ['nothing', undefined, {code: 'unknown', detail: 'An error occurred'}],
    ['null', null, {code: 'unknown', detail: 'An error occurred'}],
    ['number', 7, {code: 'unknown', detail: 'An error occurred'}],
    ['empty object', {}, {code: 'unknown', detail: 'An error occurred'}],
  ])('%s', (_, reason, expected) => expect(toFailure(reason)).toEqual(expected))

  test('reading twice changes nothing', () => {
    const thrown = {code: 'used_up', detail: 'foo', status: 403, traceId: 't', field: 'bar'}
    expect(toFailure(new ApiError(thrown))).toEqual(thrown)
    const once = toFailure({status: 403, error: {code: 'used_up', message: 'foo'}, trace_id: 't'})
    expect(toFailure(once)).toEqual(once)
  })
})

test('the text is code and detail', () => expect(failureText({code: 'busy', detail: 'foo'})).toBe('busy - foo'))

test.each([
  [400, 'bad_request'],
  [401, 'api_error'],
  [402, 'payment_required'],
  [403, 'forbidden'],
  [404, 'api_error'],
  [408, 'timeout'],
  [409, 'duplication'],
  [413, 'content_too_large'],
  [422, 'bad_request'],
  [429, 'too_many_requests'],
  [500, 'api_error'],
  [503, 'busy'],
  [504, 'timeout'],
])('status %i without a code is %s', (status, code) => expect(codeOfStatus(status)).toBe(code))

test('only a 401 or a refused grant ends a session', () => {
  const ending = [
    {code: 'api_error', detail: '', status: 401},
    {code: 'invalid_grant', detail: '', status: 400},
    {code: 'invalid_grant', detail: '', lost: true},
    {code: 'busy', detail: '', status: 503},
    lostContact('foo'),
  ].map(endsSession)
  expect(ending).toEqual([true, true, false, false, false])
})
