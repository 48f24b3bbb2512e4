;;; emacs.el --- a session of Emacs with coopls by eglot, in batch mode  -*- lexical-binding: t -*-
;; emacs --batch -l emacs.el, with COOPLS (the program), COOPLS_FOLDER (an empty folder) and COOPLS_SAMPLES (shaders, separated
;; by blanks) in the environment. It prints what it did; an error ends it with another code than 0. Eglot is a part of Emacs 29,
;; and the package elpa-eglot of Debian 12.
(require 'eglot)
(require 'flymake)
(require 'cl-lib)

(define-derived-mode glsl-mode prog-mode "GLSL"
  (setq-local comment-start "// "))
(add-to-list 'auto-mode-alist '("\\.comp\\'" . glsl-mode))
(add-to-list 'eglot-server-programs (list 'glsl-mode (getenv "COOPLS")))
(setq eglot-sync-connect 20 eglot-autoshutdown nil make-backup-files nil create-lockfiles nil)

(defun await (what condition)
  "Lets the server's messages in until CONDITION holds; WHAT it means."
  (with-timeout (20 (error "FAILED: %s" what))
    (while (not (funcall condition))
      (accept-process-output nil 0.02)
      (timer-event-handler-due))))

(defun timer-event-handler-due ()
  "Runs timers that are due, as the command loop does."
  (sit-for 0.01))

(defvar published nil "The number of diagnostics of each URI, as published.")
(cl-defmethod eglot-handle-notification :after (_server (_method (eql textDocument/publishDiagnostics)) &key uri diagnostics &allow-other-keys)
  (setf (alist-get uri published nil nil #'equal) diagnostics))

(defun diagnosed (count)
  "Awaits that the current buffer has COUNT diagnostics."
  (let ((uri (eglot--path-to-uri buffer-file-name)))
    (eglot--signal-textDocument/didChange)
    (await (format "%d diagnostics, not %S" count (alist-get uri published nil nil #'equal))
           (lambda () (let ((found (assoc uri published))) (and found (= (length (cdr found)) count)))))))

(let* ((folder (file-name-as-directory (getenv "COOPLS_FOLDER")))
       (path (concat folder "typed.comp"))
       (samples 0))
  (with-temp-file path
    (insert "#version 450\nlayout(binding = 0) buffer B { float amount; } b;\n// Twice as much.\n"
            "float twice(float x) { return 2.0 * x; }\nvoid main() {\n  b.amount = twice(1.0);\n}\n"))
  (find-file path)
  (cl-assert (eq major-mode 'glsl-mode))
  (apply #'eglot--connect (eglot--guess-contact))
  (await "eglot manages the buffer" #'eglot-managed-p)
  (diagnosed 0)

  ;; Type through an error, and let completion finish the word.
  (goto-char (point-min))
  (search-forward "twice(1.0);\n")
  (insert "  b.amoun\n")
  (backward-char)
  (diagnosed 2) ; the member and the semicolon
  (completion-at-point)
  (insert " += 1.0;")
  (cl-assert (string-suffix-p "  b.amount += 1.0;" (buffer-substring (line-beginning-position) (point))) t)
  (diagnosed 0)

  ;; A quick fix.
  (insert "\n  b.amount = lerp(0.0, 1.0, 0.5);")
  (diagnosed 1)
  (let* ((wrong (alist-get (eglot--path-to-uri buffer-file-name) published nil nil #'equal))
         (actions (jsonrpc-request (eglot--current-server-or-lose) :textDocument/codeAction
                                   (list :textDocument (eglot--TextDocumentIdentifier)
                                         :range (plist-get (aref wrong 0) :range)
                                         :context (list :diagnostics wrong)))))
    (cl-assert (equal (plist-get (aref actions 0) :title) "Replace by `mix`") t)
    (eglot--apply-workspace-edit (plist-get (aref actions 0) :edit)))
  (diagnosed 0)
  (cl-assert (save-excursion (goto-char (point-min)) (search-forward "mix(0.0" nil t)) t)

  ;; Definition, by xref, and rename, by eglot's own command.
  (goto-char (point-min))
  (search-forward "twice(1.0")
  (backward-char 6)
  (let ((definition (car (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)))))
    (cl-assert (= (xref-location-line (xref-item-location definition)) 4) t))
  (eglot-rename "doubled")
  (cl-assert (= 2 (how-many "doubled" (point-min) (point-max))) t)
  (diagnosed 0)
  (cl-assert (eglot-imenu) t)

  (dolist (sample (split-string (getenv "COOPLS_SAMPLES")))
    (find-file sample)
    (let ((uri (eglot--path-to-uri buffer-file-name)))
      (unless (eglot-managed-p) (apply #'eglot--connect (eglot--guess-contact)))
      (await (concat "diagnostics of " sample) (lambda () (assoc uri published)))
      (cl-loop for diagnostic across (alist-get uri published nil nil #'equal)
               do (cl-assert (> (plist-get diagnostic :severity) 1) t)))
    (cl-incf samples))
  (princ (format "emacs: a session, %d samples\n" samples)))
