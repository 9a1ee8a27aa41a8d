import {describe, expect, test} from 'vitest'
import {readConfig} from '#server/read-config.ts'
import {refusal} from './config.fixtures.ts'

describe('where files are kept', () => {
  const region = {AWS_REGION: 'eu-central-1'}
  const endpoint = {AWS_ENDPOINT_URL_S3: 'http://10.0.0.7:9000/'}
  test.each([
    [
      {FILES_URL: 's3://foo', ...region},
      {name: 's3://foo', bucket: 'foo', prefix: '', isPathStyle: false},
    ],
    [
      {FILES_URL: 's3://foo/a/b/', ...region},
      {name: 's3://foo/a/b', bucket: 'foo', prefix: 'a/b/', isPathStyle: false},
    ],
    [
      {FILES_URL: 's3://foo/a', ...endpoint},
      {name: 's3://foo/a', bucket: 'foo', prefix: 'a/', isPathStyle: true},
    ],
    [
      {FILES_URL: 's3://foo/a?path-style=false', ...endpoint},
      {name: 's3://foo/a', bucket: 'foo', prefix: 'a/', isPathStyle: false},
    ],
    [
      {FILES_URL: 's3://foo/a?path-style=true', ...region},
      {name: 's3://foo/a', bucket: 'foo', prefix: 'a/', isPathStyle: true},
    ],
  ])('%o', (environment, bucket) => {
    expect(readConfig(environment as Record<string, string>).files.bucket).toEqual(bucket)
  })

  test('the names of the official tools are understood, the more exact one first', () => {
    const {files} = readConfig({
      FILES_FORMER_URL: 's3://foo',
      AWS_DEFAULT_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL: 'http://other.lan',
      ...endpoint,
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'word',
    })
    expect(files).toEqual({
      bucket: undefined,
      former: {name: 's3://foo', bucket: 'foo', prefix: '', isPathStyle: true},
      region: 'eu-west-1',
      endpoint: 'http://10.0.0.7:9000',
      credentials: {accessKeyId: 'key', secretAccessKey: 'word', sessionToken: undefined},
      delivery: 'server',
      linkSeconds: 900,
    })
  })

  test.each([
    [{FILES_URL: 'https://foo/bar', ...region}, /^FILES_URL must be s3:/],
    [{FILES_URL: 's3://Foo', ...region}, /^FILES_URL must be s3:/],
    [{FILES_URL: 's3://foo?region=x', ...region}, /^FILES_URL must be s3:/],
    [{FILES_URL: 's3://foo//a//b', ...region}, /^FILES_URL must be s3:/],
    [{FILES_URL: 's3://foo'}, /^FILES_URL needs AWS_REGION/],
    [{FILES_URL: 's3://foo', FILES_FORMER_URL: 's3://foo', ...region}, /^FILES_FORMER_URL is the same/],
    [{AWS_ACCESS_KEY_ID: 'key'}, /belong together/],
    [{FILES_LINK_SECONDS: '5'}, /^FILES_LINK_SECONDS/],
    [
      {FILES_URL: 's3://foo', FILES_DELIVERY: 'redirect', PUBLIC_ORIGINS: 'https://ai.example.org', ...endpoint},
      /which browsers refuse/,
    ],
  ])('%o is refused', (environment, sentence) => {
    expect(refusal(environment as Record<string, string>)).toMatch(sentence)
  })

  test('a key that stands in the address is not repeated', () => {
    expect(refusal({FILES_URL: 's3://key:word@foo', ...region})).not.toContain('word')
  })
})
