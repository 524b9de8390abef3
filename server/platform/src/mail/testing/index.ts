export { type ReceivedMail, type SmtpReceiver, startSmtpReceiver } from './smtp-receiver.ts'
