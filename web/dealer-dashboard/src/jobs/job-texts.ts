import { type JobState, type JobTaskName, jobTasks } from '@sightline/contract/jobs'
import type { Mood } from '@sightline/kit'
import type { Text, Translate } from '../text.ts'

export const stateTexts: Readonly<Record<JobState, { readonly label: Text; readonly mood: Mood }>> = {
  waiting: { label: 'Waiting', mood: 'neutral' },
  running: { label: 'Running', mood: 'brand' },
  retrying: { label: 'Retrying', mood: 'warning' },
  failed: { label: 'Failed', mood: 'danger' },
}

interface TaskTexts {
  readonly label: Text
  /** What is lost if a job of the task is discarded. */
  readonly loss: Text
}

const stillDue: Text = "Nothing is lost: the job is added again within a minute if it's still due."
const recurring: Text = "Nothing is lost: the job is added again the next time it's due."

const taskTexts: Readonly<Record<JobTaskName, TaskTexts>> = {
  writeMail: { label: 'Prepare email', loss: "The email won't be sent." },
  sendMail: { label: 'Send email', loss: "The email won't be sent." },
  forgetMails: { label: 'Delete old emails', loss: recurring },
  sendPush: { label: 'Send browser notification', loss: "The notification won't be sent." },
  watchCameras: { label: 'Check cameras for outages', loss: recurring },
  watchEvents: { label: 'Check camera events for alerts', loss: recurring },
  watchTroubles: { label: 'Check cameras for problems', loss: recurring },
  writeAlert: { label: 'Write an alert', loss: "The user won't get this alert." },
  findDueReports: { label: 'Check for scheduled reports', loss: recurring },
  makeReport: { label: 'Create report', loss: stillDue },
  findDueSubscriptions: { label: 'Check for ended subscriptions', loss: recurring },
  applySubscription: { label: 'Apply subscription change', loss: stillDue },
  settleCameraPassword: {
    label: 'Confirm a camera’s new password',
    loss: 'The server may not be able to sign in to the camera until its password is entered.',
  },
  pruneBodyCameraTracks: { label: 'Remove old positions of body-worn cameras', loss: recurring },
  dismissFailedAdditions: { label: 'Remove cameras that could not be added', loss: recurring },
  forgetFormerCameras: { label: 'Forget devices of replaced cameras', loss: recurring },
  writeTransferMail: { label: 'Write email about a camera transfer', loss: "The email won't be sent." },
  dropTransferredCameras: { label: 'Remove transferred cameras without footage', loss: recurring },
  downloadBrandPictures: { label: 'Download brand logos', loss: recurring },
  findDueDeletions: { label: 'Check for scheduled deletions', loss: recurring },
  carryOutDeletion: { label: 'Delete account or user', loss: stillDue },
  makeExport: { label: 'Export footage', loss: stillDue },
  makeDerivedExport: { label: 'Export footage', loss: stillDue },
  sweepExports: { label: 'Remove expired exports', loss: recurring },
  findErasures: { label: 'Check for data to erase', loss: recurring },
  erasePerson: { label: 'Erase personal data', loss: stillDue },
}

const known = (task: string): TaskTexts | undefined => {
  const name = jobTasks.find((one) => one === task)
  return name === undefined ? undefined : taskTexts[name]
}

/** A task of another version has no text, only its name. */
export const taskLabel = (t: Translate, task: string): string => {
  const texts = known(task)
  return texts === undefined ? task : t(texts.label)
}

export const lossText = (task: string): Text => known(task)?.loss ?? "This job won't be completed."

const idTexts: Readonly<Record<string, Text>> = {
  accountId: 'Account {id}',
  userId: 'User {id}',
  resellerId: 'Reseller {id}',
  mailId: 'Email {id}',
  pushMessageId: 'Message {id}',
  reportScheduleId: 'Report schedule {id}',
  exportId: 'Export {id}',
}

/** The object of a job, in words. */
export const subjectText = (t: Translate, payload: Readonly<Record<string, number>>): string =>
  Object.entries(payload)
    .map(([name, id]) => {
      const text = idTexts[name]
      return text === undefined ? `${name} ${id}` : t(text, { id: String(id) })
    })
    .join(' · ')

const BARE_ERROR = /^[A-Za-z]*(Error|Exception)( \w+)?$/

/** An unexpected error contains only its name; the log has the rest. */
export const errorText = (t: Translate, error: string): string =>
  BARE_ERROR.test(error) ? t('Unexpected error ({name}). See the server log.', { name: error }) : error
