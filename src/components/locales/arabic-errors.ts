import type { AgentErrorMessages, ErrorMessages } from '../dictionary/error-messages.ts'
import { plural, time } from './arabic-measures.ts'

export const errorMessages: ErrorMessages = {
  network_error: (_, attempts) => ({
    title:
      attempts > 0
        ? plural(attempts, {
            one: 'تعذّر الوصول إلى الوكيل بعد محاولة واحدة',
            two: 'تعذّر الوصول إلى الوكيل بعد محاولتين',
            few: 'تعذّر الوصول إلى الوكيل بعد # محاولات',
            other: 'تعذّر الوصول إلى الوكيل بعد # محاولة',
          })
        : 'تعذّر الوصول إلى الوكيل',
    text: 'تحقق من الاتصال. ما وصل حتى الآن محفوظ.',
  }),
  timeout: { title: 'تأخر الوكيل كثيرًا في الإجابة', text: 'لم يصل شيء منذ فترة. ما وصل حتى الآن محفوظ.' },
  truncated: { title: 'انقطع الاتصال قبل الأوان', text: 'توقفت الإجابة قبل أن ينتهي الوكيل منها.' },
  unexpected_content_type: { title: 'جاء الرد من جهة غير الوكيل', text: 'ربما تعترض صفحة تسجيل دخول خاصة بهذه الشبكة.' },
  frame_too_large: { title: 'جزء من الإجابة أكبر من اللازم', text: 'لا يقبل هذا التطبيق أجزاء بهذا الحجم.' },
  response_too_large: { title: 'الإجابة أكبر من اللازم', text: 'اطلب إجابة أقصر.' },
  invalid_json: { title: 'تعذّرت قراءة الإجابة', text: 'وصلت تالفة.' },
  invalid_packet: { title: 'تعذّرت قراءة جزء من الإجابة', text: 'أرسله الوكيل بصيغة لا يعرفها هذا التطبيق.' },
  unknown_op: { title: 'أرسل الوكيل شيئًا جديدًا', text: 'لا يعرف هذا التطبيق ما يفعل به.' },
  invalid_response: { title: 'لم يُجب الوكيل بصورة صحيحة', text: 'وصلت الإجابة بصيغة لا يعرفها هذا التطبيق.' },
  invalid_request: { title: 'تعذّر إرسال الطلب', text: 'سأل هذا التطبيق بطريقة لا يقبلها الوكيل.' },
  invalid_config: { title: 'لم يُعدّ هذا التطبيق للعمل مع الوكيل', text: 'أحد إعداداته لا يمكن أن يعمل.' },
  http_error: ({ status = 500 }) =>
    status >= 400 && status < 500
      ? { title: 'لم يقبل الوكيل الطلب', text: 'من غير المرجح أن تفيد إعادة المحاولة نفسها.' }
      : { title: 'تعذّر على الوكيل أن يجيب', text: 'أبلغ خادمه عن خطأ. ما وصل حتى الآن محفوظ.' },
  unauthorized: { title: 'انتهت جلستك', text: 'سجّل الدخول للمتابعة. محادثتك محفوظة.' },
  forbidden: { title: 'لا تملك صلاحية الوصول', text: 'هذا الوكيل متاح لمن شورك معهم فقط.' },
  not_found: { title: 'تعذّر العثور على هذا الوكيل', text: 'ربما نُقل أو أُزيل.' },
  rate_limited: ({ retryAfterMs }) => ({ title: 'طلبات كثيرة جدًا', text: `انتظر ${retryAfterMs ? time(retryAfterMs) : 'قليلًا'} ثم حاول مجددًا.` }),
  log_expired: { title: 'لم يعد ممكنًا متابعة هذه الإجابة', text: 'لم يعد الخادم يحتفظ بها. اسأل مجددًا لتحصل على إجابة جديدة.' },
  agent_error: ({ message }) => ({ title: 'أبلغ الوكيل عن مشكلة', text: message }),
  restarted: { title: 'بدأ الوكيل من جديد في منتصف الإجابة', text: 'لا يتوافق النصفان. اسأل مجددًا لتحصل على إجابة جديدة.' },
  busy: { title: 'ما زالت إجابة قيد الكتابة', text: 'انتظر حتى تنتهي، أو أوقفها أولًا.' },
  app_error: { title: 'حدث خطأ في هذا التطبيق', text: 'محادثتك محفوظة.' },
}

export const agentErrorMessages: AgentErrorMessages = {
  internal_error: { title: 'واجه الوكيل مشكلة', text: 'السبب عند الوكيل، لا عندك.' },
  upstream_timeout: { title: 'إحدى الخدمات التي يحتاجها الوكيل بطيئة', text: 'لم تستجب في الوقت المناسب.' },
  toxicity_detected: { title: 'أوقف فحص السلامة لدى الوكيل هذه الإجابة', text: 'حاول أن تسأل بطريقة أخرى.' },
  unstructured_error: { title: 'فشل الوكيل دون رمز للسبب', text: 'تجد ما قاله في التفاصيل.' },
}
