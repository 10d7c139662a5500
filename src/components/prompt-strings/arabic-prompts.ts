import { apart, number, time } from '../locales/arabic-measures.ts'
import type { PromptStrings } from './prompt-strings.ts'

/** The strings of prompts in Arabic. */
export const arabicPrompts: PromptStrings = {
  card: {
    label: 'التطبيق يطلب إجابتك',
    origin: 'التطبيق هو من يسأل، وليس الوكيل',
    position: (index, of) => `${number(index)} من ${number(of)}`,
    previous: 'السؤال السابق',
    next: 'السؤال التالي',
    timeLeft: (ms) => `يتبقى ${time(ms)}`,
    timeOver: 'انتهى الوقت. في انتظار الوكيل.',
    onExpiry: { default: 'بعد ذلك يستخدم الوكيل قيمته الافتراضية.', cancel: 'بعد ذلك يُلغى الطلب.' },
    decline: 'رفض',
    cancel: 'إلغاء',
    sending: 'جارٍ إرسال إجابتك…',
    staged: 'تمت الإجابة. تُرسل عند الإجابة عن الأسئلة الأخرى.',
    unconfirmed: 'لا يُعرف هل وصلت إجابتك. إعادة الإرسال آمنة: تُحتسب مرة واحدة.',
    sendAgain: 'إعادة الإرسال',
    refused: 'لم يقبل الوكيل هذه الإجابة.',
    notSent: 'لم تُرسل إجابتك.',
    notLoaded: 'تعذّر عرض هذا السؤال.',
    tryAgain: 'إعادة المحاولة',
  },
  dock: {
    label: 'أسئلة لك',
    title: (count, title) => `(${number(count)}) ${title}`,
    count: (count) => `عدد الأسئلة لك: ${number(count)}`,
    ended: {
      'answered-elsewhere': 'تمت الإجابة في مكان آخر',
      expired: 'انتهى وقت الإجابة',
      withdrawn: 'سُحب السؤال',
    },
  },
  trace: {
    open: 'في انتظار إجابتك',
    chosen: (option) => `اخترت «${apart(option)}»`,
    allowedOnce: (name) => `سمحت بـ ${apart(name)} مرة واحدة`,
    allowedAlways: (name) => `سمحت بـ ${apart(name)} من الآن فصاعدًا`,
    rejected: (name) => `لم تسمح بـ ${apart(name)}`,
    submitted: 'أرسلت النموذج',
    edited: 'مع تعديلات',
    signedIn: 'سجّلت الدخول',
    answered: 'أجبت',
    states: {
      staged: 'تمت الإجابة ولم تُرسل بعد',
      sending: 'جارٍ إرسال إجابتك…',
      unconfirmed: 'لا يُعرف هل وصلت إجابتك',
      declined: 'رفضت',
      cancelled: 'ألغيت',
      expired: 'انتهت المهلة دون إجابة',
      'answered-elsewhere': 'تمت الإجابة في مكان آخر',
      withdrawn: 'سُحب دون إجابة',
    },
  },
}
