import { expect, test } from 'vitest'
import { everyJob, parseJobFilter, searchOfJobs } from './job-filter.ts'

test('the URL of the jobs page keeps state, task and page, and ignores invalid values', () => {
  expect(searchOfJobs({ state: 'failed', task: 'sendMail', page: 3 })).toEqual({
    state: 'failed',
    task: 'sendMail',
    page: 3,
  })
  const nothing = { state: undefined, task: undefined, page: undefined }
  expect(searchOfJobs({ state: 'broken', task: '<b>', page: -1, other: 'x' })).toEqual(nothing)
  expect(parseJobFilter({ task: 7 })).toEqual(everyJob)
})
