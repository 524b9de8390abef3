export { emailChangedEmail, linkEmail } from './letter.ts'
export { addLimited, TooManyMails } from './limited.ts'
